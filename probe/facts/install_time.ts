import { defineFact } from "../fact.ts";
import { network } from "../views/network.ts";
import { duration } from "../views/words.ts";

export default defineFact({
  id: "install_time",
  title: "Installation",
  describes:
    "Milliseconds from asking for the package until it was installed, once before the first attempt; absent where it was there already.",
  run(transcript) {
    const { installed } = network(transcript);
    return installed && !installed.fault ? { ms: installed.took } : undefined;
  },
  show: ({ ms }) => `${duration(ms)} to install`,
});
