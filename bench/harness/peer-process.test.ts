import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type PeerOptions, PeerProcess } from "./peer-process.ts";

// Counts its starts in its data folder and answers that count over HTTP.
const server = `
  const fs = require("node:fs");
  const [port, folder] = process.argv.slice(1);
  fs.appendFileSync(folder + "/starts", "x");
  const starts = fs.readFileSync(folder + "/starts");
  require("node:http").createServer((_, answer) => answer.end(starts))
    .listen(Number(port), "127.0.0.1");
`;

function options(changes: Partial<PeerOptions> = {}): PeerOptions {
  return {
    name: "toy",
    command: process.execPath,
    ports: 1,
    commandArguments: ({ ports, folder }) => ["-e", server, String(ports[0]), folder],
    isReady: async ({ ports }, signal) => (await fetch(urlOf(ports[0]), { signal })).ok,
    ...changes,
  };
}

function urlOf(port: number | undefined): string {
  return `http://127.0.0.1:${port}/`;
}

async function answerOf(peer: PeerProcess): Promise<string> {
  return (await fetch(urlOf(peer.place.ports[0]))).text();
}

test("a peer is ready once started, keeps its data over a restart and leaves nothing when disposed", async () => {
  const peer = await PeerProcess.start(options());
  onTestFinished(() => peer[Symbol.asyncDispose]());
  expect(await answerOf(peer)).toBe("x");
  const firstPid = peer.pid;
  expect(await peer.restart()).toBeGreaterThan(0);
  expect(await answerOf(peer)).toBe("xx");
  expect(peer.pid).not.toBe(firstPid);
  await peer[Symbol.asyncDispose]();
  expect(existsSync(peer.place.folder)).toBe(false);
  await expect(answerOf(peer)).rejects.toThrow("fetch failed");
});

test("a stopped peer has its data and no pid", async () => {
  await using peer = await PeerProcess.start(options());
  await peer.stop();
  expect(readFileSync(join(peer.place.folder, "starts"), "utf8")).toBe("x");
  expect(() => peer.pid).toThrow("toy is stopped");
});

test("a peer that ends early is reported with its last words and leaves nothing", async () => {
  let folder = "";
  const starting = PeerProcess.start(
    options({
      commandArguments: (place) => {
        folder = place.folder;
        return ["-e", `console.error("no licence"); process.exit(3)`];
      },
    }),
  );
  await expect(starting).rejects.toThrow("toy ended before it was ready:\nno licence");
  expect(existsSync(folder)).toBe(false);
});

test("a peer that never gets ready is given up", async () => {
  const starting = PeerProcess.start(
    options({ isReady: async () => false, readyWithinMilliseconds: 50 }),
  );
  await expect(starting).rejects.toThrow("toy was not ready within 50 ms");
});

test("a command that does not exist is named", async () => {
  const starting = PeerProcess.start(options({ command: "/no/such/peer" }));
  await expect(starting).rejects.toThrow("/no/such/peer cannot be started");
});

test("a port that was taken meanwhile leads to another try", async () => {
  let tries = 0;
  await using peer = await PeerProcess.start(
    options({
      commandArguments: ({ ports, folder }) =>
        ++tries === 1
          ? ["-e", `console.error("bind: address already in use"); process.exit(1)`]
          : ["-e", server, String(ports[0]), folder],
    }),
  );
  expect(await answerOf(peer)).toBe("x");
  expect(tries).toBe(2);
});

test.runIf(process.platform === "linux")(
  "a benchmark that is killed takes its peer and the data with it",
  async () => {
    const benchmark = `
      import { PeerProcess } from ${JSON.stringify(new URL("peer-process.ts", import.meta.url).href)};
      const peer = await PeerProcess.start({
        name: "toy", command: process.execPath, ports: 1,
        commandArguments: ({ ports, folder }) => ["-e", ${JSON.stringify(server)}, String(ports[0]), folder],
        isReady: async ({ ports }) => (await fetch("http://127.0.0.1:" + ports[0])).ok,
      });
      console.log(JSON.stringify(peer.place));
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", benchmark]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const place = JSON.parse(line.toString()) as PeerProcess["place"];
    expect(await (await fetch(urlOf(place.ports[0]))).text()).toBe("x");
    child.kill("SIGKILL");
    await vi.waitFor(
      async () => {
        await expect(fetch(urlOf(place.ports[0]))).rejects.toThrow("fetch failed");
        expect(existsSync(place.folder)).toBe(false);
      },
      { timeout: 50_000 },
    );
  },
);
