import { expect, test } from "vitest";
import { runDriver } from "./driver-process.ts";

function drive(
  script: string,
  onPhase: (name: string) => void = () => undefined,
  signal?: AbortSignal,
) {
  return runDriver({
    command: process.execPath,
    commandArguments: ["-e", script],
    onPhase,
    signal,
  });
}

test("the driver's line is answered and its phases are told in order", async () => {
  const phases: string[] = [];
  const result = await drive(
    `console.error("phase measure"); console.error("phase verify"); console.log('{"writes":3}')`,
    (name) => phases.push(name),
  );
  expect(result).toEqual({ writes: 3 });
  expect(phases).toEqual(["measure", "verify"]);
});

test("a driver that fails is quoted, its line of results included", async () => {
  const failing = drive(
    `console.log('{"oracle":"failed"}'); console.error("lost a write"); process.exitCode = 1`,
  );
  await expect(failing).rejects.toThrow(/failed:\nlost a write\n\{"oracle":"failed"\}/);
});

test("a driver that cannot be started is an error", async () => {
  const missing = runDriver({
    command: "/no/such/driver",
    commandArguments: [],
    onPhase: () => undefined,
  });
  await expect(missing).rejects.toThrow(/ENOENT/);
});

test("an aborted signal ends the driver", async () => {
  const stopping = new AbortController();
  const running = drive(
    `console.error("phase measure"); setInterval(() => {}, 1000)`,
    () => stopping.abort(),
    stopping.signal,
  );
  await expect(running).rejects.toThrow(/abort/i);
});
