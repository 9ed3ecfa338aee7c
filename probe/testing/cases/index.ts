/** Every case of this folder. To add one, add an entry to the list of its area. */
import { answerCases } from "./answers.ts";
import type { Case } from "./case.ts";
import { envelope } from "./envelope.ts";
import { gateCases } from "./gates.ts";
import { networkCases } from "./network.ts";
import { protocolCases } from "./protocol.ts";
import { stdio } from "./stdio.ts";
import { streamCases } from "./streams.ts";
import { toolCases } from "./tools.ts";

export const cases: readonly Case[] = [
  ...stdio,
  ...envelope,
  ...streamCases,
  ...answerCases,
  ...gateCases,
  ...networkCases,
  ...protocolCases,
  ...toolCases,
];
