import { defineMethodology } from "../../methodology.ts";
import { standing } from "../standing.ts";

const verdict = {
  id: "verdict/1.1.0",
  title: "Verdict 1.1.0",
  publishedOn: "2026-12-15",
  checks: [
    "L0.reachable",
    "L0.tls",
    "L0.initialize",
    "L0.protocol_version",
    "L0.capabilities",
    "L1.server_info",
    "L1.envelope",
    "L1.tools_list",
    "L1.tool_schemas",
    "L1.resources_list",
    "L1.prompts_list",
    "L1.unknown_method",
    "L2.call_ok",
    "L2.output_schema",
    "L2.bad_input",
    "L2.timeout",
  ],
  rules: {
    "credential-demands": "7ad8d9e827f70554456819178351017f2cf2fdc7c01e87b84b604c13ac69e5e7",
    "missing-credentials": "587452b2f41a66cdec6ce5af6fa27c7c516b507b0fca9ad1058f81fcd7927fe1",
    "missing-services": "1363e4d952d18e4ca3a113109e0e65c24a7855015978abac4b239e6b41835846",
    "protocol-versions": "472f77d81ca4f509f0f961b1d9ea5a6786b17566ae51b36c2917012b24ef08f2",
    "sandbox-faults": "248a96e473fc3f1be3ff4f3b05e3f12ed14230a5b2d58f7463c75ede608e4e59",
  },
} as const;

export default defineMethodology({ ...verdict, assess: standing(verdict) });
