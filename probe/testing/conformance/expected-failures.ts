/**
 * What the official suite expects of a client and the probe does not do, each with its reason. A line
 * that no longer fails, or that the suite no longer has, fails the test: then it goes.
 */

export interface Expected {
  readonly because: string;
  /** Checks that fail, by scenario, in at least one of the versions it is run at. */
  readonly fails: Readonly<Record<string, readonly string[]>>;
}

/** What the scenarios of a token endpoint ask for at every version. */
const RESOURCE = ["resource-parameter-in-authorization", "resource-parameter-in-token"];
const LOGIN = ["client-registration", "authorization-request", "token-request"];
const TOKEN_ENDPOINT = ["token-endpoint-auth-method", ...RESOURCE];
const PROOF = ["token-request-proof", "dpop-auth-scheme", "fresh-proof"];
const proofs = (...names: string[]) => names.map((name) => `sep-1932-client-${name}`);

export const expectedFailures: readonly Expected[] = [
  {
    because:
      "The probe has no account anywhere and never logs in: it records that it was asked to.",
    fails: {
      "auth/metadata-default": [...LOGIN, ...RESOURCE],
      "auth/metadata-var1": [...LOGIN, ...RESOURCE],
      "auth/metadata-var2": [...LOGIN, ...RESOURCE],
      "auth/metadata-var3": [...LOGIN, ...RESOURCE],
      "auth/2025-03-26-oauth-metadata-backcompat": LOGIN,
      "auth/2025-03-26-oauth-endpoint-fallback": LOGIN,
      "auth/basic-cimd": ["cimd-client-id-used"],
      "auth/scope-from-www-authenticate": ["scope-from-www-authenticate"],
      "auth/scope-from-scopes-supported": ["scope-from-scopes-supported"],
      "auth/scope-omitted-when-undefined": ["scope-omitted-when-undefined"],
      "auth/scope-step-up": [
        "scope-step-up-initial",
        "scope-step-up-escalation",
        "sep-2350-scope-union-on-reauth",
      ],
      "auth/scope-retry-limit": ["scope-retry-limit"],
      "auth/token-endpoint-auth-basic": TOKEN_ENDPOINT,
      "auth/token-endpoint-auth-post": TOKEN_ENDPOINT,
      "auth/token-endpoint-auth-none": TOKEN_ENDPOINT,
      "auth/pre-registration": ["pre-registration-auth"],
      "auth/offline-access-scope": ["sep-2207-offline-access-requested"],
      "auth/offline-access-not-supported": ["sep-2207-offline-access-not-requested"],
      "auth/authorization-server-migration": ["sep-2352-reregister-on-as-change"],
      "auth/iss-supported": ["sep-2468-client-compare-iss-supported"],
      "auth/iss-not-advertised": ["sep-2468-client-proceed-no-iss"],
      "auth/iss-supported-missing": ["sep-2468-client-reject-missing-iss"],
      "auth/iss-wrong-issuer": ["sep-2468-client-compare-iss-supported"],
      "auth/iss-unexpected": ["sep-2468-client-compare-iss-unadvertised"],
      "auth/iss-normalized": ["sep-2468-client-no-normalization"],
      "auth/client-credentials-jwt": ["client-credentials-jwt-verified"],
      "auth/client-credentials-basic": ["client-credentials-basic-auth"],
      "auth/enterprise-managed-authorization": [
        "complete-flow-token-exchange",
        "complete-flow-jwt-bearer",
      ],
      "auth/dpop": proofs(...PROOF),
      "auth/dpop-nonce": proofs(...PROOF, "as-nonce", "rs-nonce"),
      "auth/wif-jwt-bearer": ["wif-assertion-verified"],
    },
  },
  {
    because: "These want a call with arguments that no server's own schema asks for.",
    fails: {
      "http-custom-headers": [
        "supports-custom-headers",
        "mirrors-designated-params",
        "encode-values",
        "base64-unsafe",
        "omit-null",
      ].map((name) => `sep-2243-client-${name}`),
      "json-schema-2020-12-preservation": ["json-schema-2020-12-client-echo-completed"],
    },
  },
  {
    because:
      "The probe declares no capability, so it has no answers to give to a server's questions.",
    fails: {
      "elicitation-sep1034-client-defaults": ["string", "integer", "number", "enum", "boolean"].map(
        (type) => `client-elicitation-sep1034-${type}-default`,
      ),
      "sep-2322-client-request-state": [
        "sep-2322-client-request-state-echoed",
        "sep-2322-client-jsonrpc-id-different",
        "sep-2322-client-no-state-omitted",
        "sep-2322-client-parallel-isolation",
        "sep-2322-default-result-type-complete",
      ],
    },
  },
];
