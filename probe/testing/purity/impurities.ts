/** Finds what makes code depend on more than its arguments, by reading its syntax. */
import ts from "typescript";

/** Names that stand for the machine, the clock or the network. */
const GLOBALS: ReadonlySet<string> = new Set([
  "clearInterval",
  "clearTimeout",
  "console",
  "crypto",
  "fetch",
  "globalThis",
  "performance",
  "process",
  "queueMicrotask",
  "require",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "WebSocket",
]);

/** Members of harmless objects that are not: each gives another value every time. */
const MEMBERS: ReadonlySet<string> = new Set(["Date.now", "Math.random", "import.meta"]);

/** Every impurity of a TypeScript source, as `line: text`. */
export function impurities(source: string): readonly string[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isImpure(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${line + 1}: ${node.getText()}`);
    }
    // Types leave no trace in what runs.
    if (!ts.isTypeNode(node)) ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isImpure(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node)) return /^(node:|undici$)/.test(node.text);
  if (ts.isPropertyAccessExpression(node) || ts.isMetaProperty(node)) {
    return MEMBERS.has(node.getText());
  }
  if (ts.isNewExpression(node)) return isDate(node.expression) && !node.arguments?.length;
  if (ts.isCallExpression(node)) return isDate(node.expression);
  return ts.isIdentifier(node) && GLOBALS.has(node.text) && isReference(node);
}

const isDate = (node: ts.Node): boolean => ts.isIdentifier(node) && node.text === "Date";

/** Whether a name stands for a value, and not for a member of something else. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== node;
  if (ts.isPropertyAssignment(parent)) return parent.name !== node;
  return !ts.isPropertySignature(parent) && !ts.isMethodSignature(parent);
}
