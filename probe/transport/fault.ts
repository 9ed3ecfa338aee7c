/** An error of the platform as a record holds it: its code and its words. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { code: "UNKNOWN", message: String(error) };
  // Failed attempts at several addresses come bundled; the first one speaks for them.
  if (error instanceof AggregateError && error.errors.length > 0) return faultOf(error.errors[0]);
  const code = (error as { code?: unknown }).code;
  return { code: typeof code === "string" ? code : error.name, message: error.message };
}
