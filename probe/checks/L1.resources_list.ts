import { defineCheck } from "../check.ts";
import { isObject, own } from "../views/json.ts";
import { judgeList } from "../views/list-result.ts";
import { resources } from "../views/lists.ts";
import { shown } from "../views/words.ts";

/** What a resource must have; any string will do, since the specification asks for no more. */
function faultOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return `must be an object, but is ${shown(entry)}`;
  const missing = ["uri", "name"].find((member) => typeof own(entry, member) !== "string");
  return missing && `must have a string "${missing}", but has ${shown(own(entry, missing))}`;
}

export default defineCheck({
  id: "L1.resources_list",
  title: "The declared resources can be listed",
  passesWhen:
    "A server that declares resources answers every page of resources/list with an array in which each entry has a string uri and a string name, and the list ends.",
  why: "Official clients reject the whole list when one entry is malformed, so its users see no resource at all.",
  fix: "Give every resource a uri and a name, send nextCursor only when another page follows, and leave the capability out when there are no resources to list.",
  needs: ["L0.capabilities"],
  run: (transcript) => judgeList(transcript, "resources", resources(transcript), faultOf),
});
