/** Loaded into a server before its program: ends it as soon as whoever started it is gone. */
process.stdin.on("close", () => process.exit()).resume();
// Nobody writes here: a server that has nothing else to do may end.
process.stdin.unref();
