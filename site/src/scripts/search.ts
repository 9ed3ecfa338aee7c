/** Search as you type. The form is hidden until this script runs, since it can do nothing without it. */
import type { ServerIndex, ServerRow } from "../../../scripts/api/schema.ts";
import { find } from "../lib/find.ts";
import { apiHref, href, serverHref } from "../lib/href.ts";
import { standing, STANDING_WORDS } from "../lib/verdicts.ts";
import { visible } from "../lib/visible.ts";

const SHOWN = 50;
const SVG = "http://www.w3.org/2000/svg";

const form = document.querySelector<HTMLFormElement>("#search")!;
const input = form.querySelector("input")!;
const status = form.querySelector("output")!;
const hits = document.querySelector<HTMLElement>("#hits")!;
const browse = document.querySelector<HTMLElement>("#browse")!;
let index: Promise<readonly ServerRow[]> | undefined;

const load = async (): Promise<readonly ServerRow[]> => {
  const response = await fetch(apiHref("servers.json"));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return ((await response.json()) as ServerIndex).servers;
};

function element(tag: string, className: string, ...content: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...content);
  return made;
}

function hit(row: ServerRow): HTMLElement {
  const stands = standing(row.verdict);
  const mark = document.createElementNS(SVG, "svg");
  mark.classList.add("mark");
  mark.append(document.createElementNS(SVG, "use"));
  mark.firstElementChild!.setAttribute("href", href(`/marks.svg#${stands}`));
  const link = element("a", "", element("bdi", "", visible(row.title)));
  link.setAttribute("href", serverHref(row.name));
  const verdict = element("span", "verdict", mark, STANDING_WORDS[stands]);
  verdict.dataset["verdict"] = stands;
  return element("li", "", link, " ", element("code", "", row.name), " ", verdict);
}

async function search(): Promise<void> {
  const query = input.value.trim();
  let found: readonly ServerRow[] = [];
  try {
    found = query === "" ? [] : find(await (index ??= load()), query);
  } catch {
    index = undefined;
    status.value = "The index of servers could not be loaded.";
    return;
  }
  if (query !== input.value.trim()) return;
  browse.hidden = query !== "";
  hits.hidden = query === "";
  hits.replaceChildren(...found.slice(0, SHOWN).map(hit));
  const more = found.length > SHOWN ? `, the first ${SHOWN} are shown` : "";
  status.value = query === "" ? "" : `${found.length} found${more}`;
}

form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
input.addEventListener("input", () => void search());
