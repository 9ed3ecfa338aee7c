/** A test authority and the good and bad certificates that it signs, each made once. */
import { type CertificateExtension, generate } from "selfsigned";

/** Which certificate a server presents. `expiring` has two days left. */
export type Certified =
  "valid" | "expired" | "expiring" | "self-signed" | "other-name" | "without-intermediate";

export interface Pem {
  readonly key: string;
  readonly cert: string;
  /** What the probe trusts. */
  readonly ca: string;
}

const DAY = 86_400_000;
const NAMES = ["fixture.test", "*.fixture.test", "*.known.fixture.test"];

interface Signer {
  readonly key: string;
  readonly cert: string;
}

interface Validity {
  readonly from?: number;
  readonly to?: number;
  readonly names?: readonly string[];
}

const made = new Map<string, Promise<Pem>>();
let authority: Promise<Signer> | undefined;

export function certificate(kind: Certified): Promise<Pem> {
  const known = made.get(kind) ?? make(kind);
  made.set(kind, known);
  return known;
}

async function make(kind: Certified): Promise<Pem> {
  authority ??= signer("Fixture Root");
  const root = await authority;
  const leaf = (validity: Validity) => signedBy(root, validity);
  switch (kind) {
    case "valid":
      return { ...(await leaf({})), ca: root.cert };
    case "expired":
      return { ...(await leaf({ from: -30, to: -1 })), ca: root.cert };
    case "expiring":
      return { ...(await leaf({ to: 2.5 })), ca: root.cert };
    case "self-signed":
      return { ...(await signedBy(undefined, {})), ca: root.cert };
    case "other-name":
      return { ...(await leaf({ names: ["elsewhere.test"] })), ca: root.cert };
    case "without-intermediate":
      return { ...(await signedBy(await signer("Fixture Intermediate", root), {})), ca: root.cert };
  }
}

/** A certificate that may sign others. */
async function signer(name: string, by?: Signer): Promise<Signer> {
  const pem = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() - DAY),
    notAfterDate: new Date(Date.now() + 30 * DAY),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
    ...(by && { ca: by }),
  });
  return { key: pem.private, cert: pem.cert };
}

async function signedBy(
  by: Signer | undefined,
  { from = -1, to = 30, names = NAMES }: Validity,
): Promise<Signer> {
  const altNames = names.map((value) => ({ type: 2, value }) as const);
  const extensions: CertificateExtension[] = [
    { name: "basicConstraints", cA: false },
    { name: "subjectAltName", altNames },
  ];
  const pem = await generate([{ name: "commonName", value: names[0]! }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() + from * DAY),
    notAfterDate: new Date(Date.now() + to * DAY),
    extensions,
    ...(by && { ca: by }),
  });
  return { key: pem.private, cert: pem.cert };
}
