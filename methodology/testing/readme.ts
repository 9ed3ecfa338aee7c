/** The rows of the first Markdown table below a heading, without its head; each row its cells. */
export function tableBelow(markdown: string, heading: string): readonly (readonly string[])[] {
  const lines = markdown.split("\n");
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`There is no heading "${heading}".`);
  const end = lines.findIndex((line, index) => index > start && line.startsWith("## "));
  const section = lines.slice(start, end < 0 ? undefined : end);
  const first = section.findIndex((line) => line.startsWith("|"));
  const rows = section.slice(first).findIndex((line) => !line.startsWith("|"));
  return section
    .slice(first, rows < 0 ? undefined : first + rows)
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

/** The code (`like this`) that a cell begins with. */
export function codeOf(cell: string | undefined): string {
  return /^`([^`]+)`/.exec(cell ?? "")?.[1] ?? "";
}
