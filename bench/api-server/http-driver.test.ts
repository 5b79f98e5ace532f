import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { drive, missingDriver } from "../harness/http-driver.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import { bareHandler, certificates, reachedAt } from "./server-under-test.ts";

// The driver is a Go program: without `npm run assets -- http-driver` there is nothing to test.
const lacksDriver = missingDriver().length > 0;

/** Acknowledges every write with a new version and keeps nothing. */
async function forgetfulServer(): Promise<LoadedServer> {
  const folder = await certificates();
  const file = (name: string): Buffer => readFileSync(join(folder, name));
  let version = 0;
  const server = createServer({ cert: file("server.crt"), key: file("server.key") });
  server.on("request", (request, response) => {
    version += 1;
    const metadata = { resourceVersion: String(version) };
    response.statusCode = request.method === "POST" ? 201 : 200;
    request.resume().once("end", () => response.end(JSON.stringify({ metadata, items: [] })));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return reachedAt(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, folder);
}

test.skipIf(lacksDriver)("writes, reads and lists are counted and checked", async () => {
  const server = await bareHandler();
  expect(await drive("create", server, { objects: 300 })).toMatchObject({
    requests: 300,
    errors: 0,
    oracle: "ok",
  });
  const some = { objects: 300, requests: 100, inFlight: 8 };
  for (const protocol of ["h2", "h1"]) {
    const load = { ...some, protocol };
    expect(await drive("get", server, load)).toMatchObject({ requests: 100, oracle: "ok" });
    expect(await drive("update", server, load)).toMatchObject({ requests: 100, oracle: "ok" });
  }
  const lists = { objects: 300, requests: 2, inFlight: 1, limit: 70 };
  for (const [variant, items] of [
    ["whole", 300],
    ["label", 3],
    ["paged", 300],
  ] as const) {
    const result = await drive("list", server, { ...lists, variant });
    expect(result).toMatchObject({ items, requests: 2, oracle: "ok" });
  }
});

test.skipIf(lacksDriver)("a status has its own writes", async () => {
  const server = await bareHandler();
  await drive("create", server, { kind: "pods", objects: 20 });
  const load = { kind: "pods", objects: 20, requests: 50, inFlight: 4 };
  expect(await drive("status", server, load)).toMatchObject({ requests: 50, oracle: "ok" });
});

test.skipIf(lacksDriver)("plain text is HTTP/2 too", async () => {
  const server = await bareHandler({ plain: true });
  expect(server.url).toMatch(/^http:/);
  expect(await drive("create", server, { objects: 20 })).toMatchObject({ oracle: "ok" });
  const load = { objects: 20, requests: 30, inFlight: 4 };
  expect(await drive("get", server, load)).toMatchObject({ requests: 30, oracle: "ok" });
});

test.skipIf(lacksDriver)("a request may have a connection of its own", async () => {
  for (const plain of [true, false]) {
    const server = await bareHandler({ plain });
    await drive("create", server, { objects: 5 });
    const result = await drive("connect", server, { objects: 5, requests: 30, inFlight: 8 });
    expect(result).toMatchObject({ requests: 30, errors: 0, oracle: "ok" });
  }
});

test.skipIf(lacksDriver)("every watcher sees every write", async () => {
  const server = await bareHandler();
  const result = await drive("watch", server, { watchers: 60, events: 40, inFlight: 8 });
  expect(result).toMatchObject({ deliveries: 2400, cuts: 0, oracle: "ok" });
  expect(result.deliveryP99us).toBeGreaterThan(0);
});

test.skipIf(lacksDriver)(
  "a server that forgets what it acknowledged fails the oracle",
  async () => {
    const server = await forgetfulServer();
    for (const mode of ["create", "apply"] as const) {
      await expect(drive(mode, server, { objects: 10, protocol: "h1" })).rejects.toThrow(
        /oracle failed: object-0000000 is at \{ 0\}; acknowledged was \{\d+ 1\}/,
      );
    }
  },
);
