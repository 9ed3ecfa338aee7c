import { defineCheck } from "../check.ts";
import { judgeList } from "../views/list-result.ts";
import { tools } from "../views/lists.ts";

export default defineCheck({
  id: "L1.tools_list",
  title: "The declared tools can be listed",
  passesWhen:
    "A server that declares tools answers every page of tools/list with an array of tools, and the list ends.",
  why: "A client asks for this list before anything else; without it no tool can be offered or called.",
  fix: 'Answer tools/list with {"tools": […]}, send nextCursor only when another page follows, and never the same cursor twice. A server without tools leaves the capability out.',
  needs: ["L0.capabilities"],
  // What an entry must hold is asked by L1.tool_schemas: one bad tool must not hide the others.
  run: (transcript) => judgeList(transcript, "tools", tools(transcript)),
});
