/** Adds ages to the dates of a page, and ages its verdicts; never makes a result look fresher. */
import { age, ageFurther, QUALIFIER, type Freshness } from "../lib/age.ts";

const now = Date.now();

for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-age]")) {
  const shown = age(time.dateTime, now);
  if (shown !== "") time.dataset["age"] = shown;
}

for (const verdict of document.querySelectorAll<HTMLElement>("[data-stale-at]")) {
  const { freshness, staleAt, hiddenAt } = verdict.dataset;
  const at = { stale: staleAt!, hidden: hiddenAt! };
  const aged = ageFurther(freshness as Freshness, at, now);
  verdict.dataset["freshness"] = aged;
  verdict.querySelector(".qualifier")!.textContent = QUALIFIER[aged];
}
