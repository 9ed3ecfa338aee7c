/**
 * Keeps the heap of this process small. The engine of Node lets garbage pile up as far as the machine
 * has room for it, and servers that flood us make much of it; with this it tidies up sooner.
 */
import { setFlagsFromString } from "node:v8";

/** For a process that does nothing but probe; the earlier the better. */
export function keepHeapSmall(): void {
  setFlagsFromString("--optimize-for-size");
}
