/** Watches that last: idle for a long time, and over connections that break. */
import { seededRandom } from "@homeostat/concurrency";
import type { WatchFrame } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { CuttableProxy } from "./cuttable-proxy.ts";
import { endOfTurn } from "./hand-clock.ts";
import { Http1Wire } from "./http1-wire.ts";
import { Http2Wire } from "./http2-wire.ts";
import { type HttpsPlane, openHttpsPlane, watchOver } from "./https-plane.ts";
import { Kubectl, kubectlPath } from "./kubectl.ts";
import { Requests } from "./requests.ts";

const ABSENT = "kubectl was not found: `npm run assets -- kubectl` builds it";
const WATCH = ["get", "configmaps", "--watch", "--no-headers"];
const COLUMNS = "-o=custom-columns=NAME:.metadata.name,V:.data.v";
/** kubectl is slow to start where many tests run beside it: only what hangs takes longer. */
const PATIENCE = 120_000;
const MAPS = "/api/v1/namespaces/default/configmaps";

/** Until the plane has a watcher that it did not have before. */
async function watcherOf({ store }: HttpsPlane): Promise<void> {
  while (store.statistics().watchers === 0) await endOfTurn();
}

test(
  "kubectl get -w, idle for 15 minutes, still prints the next change",
  async ({ skip }) => {
    const path = kubectlPath() ?? skip(ABSENT);
    await using plane = await openHttpsPlane("h2");
    await using kubectl = new Kubectl(path, plane.identity);
    const requests = new Requests(plane);
    await requests.map("a", { data: { v: "0" } });
    const run = kubectl.start(...WATCH, COLUMNS);
    expect(await run.lines(1)).toEqual(["a 0"]);
    await watcherOf(plane);
    await plane.clock.advance("15m");
    await requests.merge("configmaps/a", { data: { v: "1" } });
    await requests.map("b");
    expect(await run.lines(2)).toEqual(["a 1", "b <none>"]);
    // After an hour at most the server ends it, and kubectl takes that for a good end.
    await plane.clock.advance("45m");
    expect(await run.lines(1)).toEqual([]);
    expect(await run.ended).toEqual({ code: 0, errors: "" });
  },
  PATIENCE,
);

test(
  "kubectl get -w prints every change before a cut once, and the next one goes on",
  async ({ skip }) => {
    const path = kubectlPath() ?? skip(ABSENT);
    await using plane = await openHttpsPlane("h2");
    await using proxy = await CuttableProxy.open(plane.listener.port);
    await using kubectl = new Kubectl(path, { ...plane.identity, port: proxy.port });
    const requests = new Requests(plane);
    await requests.map("a", { data: { v: "0" } });
    const first = kubectl.start(...WATCH, COLUMNS);
    expect(await first.lines(1)).toEqual(["a 0"]);
    for (const v of ["1", "2", "3"]) await requests.merge("configmaps/a", { data: { v } });
    expect(await first.lines(3)).toEqual(["a 1", "a 2", "a 3"]);
    proxy.cut();
    expect(await first.lines(1)).toEqual([]);
    await first.ended;
    await requests.merge("configmaps/a", { data: { v: "4" } });
    const second = kubectl.start(...WATCH, COLUMNS);
    expect(await second.lines(1)).toEqual(["a 4"]);
    await requests.merge("configmaps/a", { data: { v: "5" } });
    expect(await second.lines(1)).toEqual(["a 5"]);
  },
  PATIENCE,
);

test(
  "kubectl wait gets over a cut connection",
  async ({ skip }) => {
    const path = kubectlPath() ?? skip(ABSENT);
    await using plane = await openHttpsPlane("h2");
    await using proxy = await CuttableProxy.open(plane.listener.port);
    await using kubectl = new Kubectl(path, { ...plane.identity, port: proxy.port });
    const requests = new Requests(plane);
    await requests.map("a");
    const run = kubectl.start("wait", "--for=delete", "configmap/a", "--timeout=60s");
    await watcherOf(plane);
    proxy.cut();
    await requests.delete("configmaps/a");
    expect(await run.lines(1)).toEqual(["configmap/a condition met"]);
    expect((await run.ended).code).toBe(0);
  },
  PATIENCE,
);

test.each(["h2", "http/1.1"] as const)(
  "a watcher over %s that is cut at any byte and resumes misses and repeats nothing",
  async (protocol) => {
    await using plane = await openHttpsPlane("h2");
    await using proxy = await CuttableProxy.open(plane.listener.port);
    const requests = new Requests(plane);
    const random = seededRandom(11);
    let from = (await requests.get("configmaps")).metadata.resourceVersion;
    const count = 400;
    const writing = (async () => {
      for (let at = 0; at < count; at++) {
        await requests.map(`m${at}`, { data: { x: "x".repeat(random.below(400)) } });
      }
    })();
    const seen: string[] = [];
    let cuts = 0;
    while (seen.length < count) {
      proxy.cutAfter(3000 + random.below(20_000));
      for (const frame of await framesUntilCut(plane, proxy, { protocol, from })) {
        expect(frame.type).toBe("ADDED");
        seen.push(frame.object.metadata?.name ?? "");
        from = frame.object.metadata?.resourceVersion ?? "";
      }
      cuts += 1;
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: count }, (_each, at) => `m${at}`));
    expect(cuts).toBeGreaterThan(10);
  },
);

/** What one connection brings before it is cut, or until all is seen. */
async function framesUntilCut(
  plane: HttpsPlane,
  proxy: CuttableProxy,
  { protocol, from }: { readonly protocol: "h2" | "http/1.1"; readonly from: string },
): Promise<readonly WatchFrame[]> {
  const identity = { ...plane.identity, port: proxy.port };
  await using wire = protocol === "h2" ? new Http2Wire(identity) : new Http1Wire(identity);
  const frames: WatchFrame[] = [];
  try {
    await using watch = await watchOver(wire, MAPS, { resourceVersion: from });
    for (;;) {
      const frame = await watch.next();
      if (frame === undefined) break;
      frames.push(frame);
      if (frame.object.metadata?.name === "m399") break;
    }
  } catch {
    // Cut, perhaps in the middle of a line, perhaps before any answer.
  }
  return frames;
}
