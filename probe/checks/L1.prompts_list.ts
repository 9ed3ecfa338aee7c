import { defineCheck } from "../check.ts";
import { isObject, own } from "../views/json.ts";
import { judgeList } from "../views/list-result.ts";
import { prompts } from "../views/lists.ts";
import { shown } from "../views/words.ts";

function faultOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return `must be an object, but is ${shown(entry)}`;
  const name = own(entry, "name");
  return typeof name === "string" ? undefined : `must have a string "name", but has ${shown(name)}`;
}

export default defineCheck({
  id: "L1.prompts_list",
  title: "The declared prompts can be listed",
  passesWhen:
    "A server that declares prompts answers every page of prompts/list with an array in which each entry has a string name, and the list ends.",
  why: "Some clients refuse to load a server whose declared prompts cannot be listed.",
  fix: "Answer prompts/list, give every prompt a name, and leave the capability out when there are no prompts to list.",
  needs: ["L0.capabilities"],
  run: (transcript) => judgeList(transcript, "prompts", prompts(transcript), faultOf),
});
