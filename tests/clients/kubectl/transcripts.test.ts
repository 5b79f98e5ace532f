/**
 * Real kubectl against our command, as its user starts it: every transcript has to print what it
 * printed with kube-apiserver (`record.ts`). Where two versions of kubectl are there, the newer runs
 * all transcripts, the older those in which versions speak differently with a server.
 */
import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { kubectlPrograms } from "./kubectl-programs.ts";
import { KubectlSession } from "./kubectl-session.ts";
import { type ServerUnderTest, startServer } from "./server-under-test.ts";
import { expectedOf } from "./transcript.ts";
import { recordedVersions, transcripts } from "./transcripts.ts";

// Some hundred real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000, maxConcurrency: 4 });

const OF_EVERY_VERSION: readonly string[] = ["apply", "custom"];

test("the transcripts hold at least sixty different commands, those of every version too", ({
  expect,
}) => {
  const distinct = (names: readonly string[]): number => {
    const wanted = transcripts().filter(({ name }) => names.includes(name));
    return new Set(wanted.flatMap(({ steps }) => steps.map(({ command }) => command))).size;
  };
  expect(distinct(OF_EVERY_VERSION)).toBeGreaterThanOrEqual(60);
  expect(distinct(transcripts().map(({ name }) => name))).toBeGreaterThanOrEqual(300);
});

const [newest, ...older] = kubectlPrograms();
const runs = [
  ...(newest === undefined ? [] : [{ program: newest, plays: transcripts() }]),
  ...older.map((program) => ({
    program,
    plays: transcripts().filter(({ name }) => OF_EVERY_VERSION.includes(name)),
  })),
];

describe.concurrent.for(runs)("kubectl $program.minorVersion", ({ program, plays }) => {
  const { minorVersion } = program;
  const known = recordedVersions().includes(minorVersion);
  let server: ServerUnderTest;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  for (const { name, steps } of plays) {
    test(`${name}: prints what it prints with kube-apiserver`, async ({ expect }) => {
      await using session = new KubectlSession(program, server.access);
      await session.enter(name);
      for (const step of steps) {
        const printed = await session.run(step.command);
        const expected = expectedOf(step, minorVersion, known);
        const wanted = expected.includes(printed) ? printed : expected[0];
        const shown = (text: string | undefined): string => `$ ${step.command}\n${text}`;
        expect.soft(shown(printed)).toBe(shown(wanted));
      }
    });
  }
});
