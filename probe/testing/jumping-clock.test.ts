import { once } from "node:events";
import { createServer, connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { sleep } from "../clock.ts";
import { JumpingClock } from "./jumping-clock.ts";

test("an hour passes at once, to the millisecond or a few later", async () => {
  const clock = new JumpingClock();
  const start = clock.now();
  await sleep(clock, 3_600_000);
  expect(clock.now() - start).toBeGreaterThanOrEqual(3_600_000);
  expect(clock.now() - start).toBeLessThan(3_700_000);
});

test("timers go off in order, and one that was taken back does not", async () => {
  const clock = new JumpingClock();
  const order: string[] = [];
  clock.after(2000, () => order.push("second"));
  clock.after(1000, () => order.push("first"));
  clock.after(1500, () => order.push("never"))();
  await sleep(clock, 3000);
  expect(order).toEqual(["first", "second"]);
});

test("an answer on its way over a socket arrives before a deadline far ahead", async () => {
  const server = createServer((socket) => socket.on("data", (data) => socket.write(data)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const clock = new JumpingClock();
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let late = false;
  clock.after(10_000, () => (late = true));
  for (let i = 0; i < 20; i += 1) {
    socket.write("x");
    await once(socket, "data");
    clock.touch();
  }
  expect(late).toBe(false);
  socket.destroy();
});

test("it stands still while something outside is at work", async () => {
  const clock = new JumpingClock();
  let busy = true;
  clock.holdWhile(() => busy);
  const start = clock.now();
  const over = sleep(clock, 60_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(clock.now() - start).toBeLessThan(30_000);
  busy = false;
  await over;
  expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
});
