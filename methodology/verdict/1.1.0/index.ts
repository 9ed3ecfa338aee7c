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
} as const;

export default defineMethodology({ ...verdict, assess: standing(verdict) });
