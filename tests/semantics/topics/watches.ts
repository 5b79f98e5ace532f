/** Watches: what they tell and how they end (semantics 7, 9-13, E16). */
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { type Requests, refusalIn, versionOf } from "../requests.ts";

const labelled = (requests: Requests, name: string, labels: Record<string, string | null>) =>
  requests.merge(`configmaps/${name}`, { metadata: { labels } });

export function watchesSuite(open: OpenPlane): void {
  test("7: bookmarks come every minute, whatever else is written", async () => {
    const { requests, plane } = await openFor(open);
    const { resourceVersion } = (await requests.map("a")).metadata;
    const query = { resourceVersion, allowWatchBookmarks: "true" };
    const watch = await requests.watch("configmaps", query);
    await plane.clock.advance("59s");
    const secret = await requests.create("secrets", { metadata: { name: "s" } });
    await plane.clock.advance("1s");
    const first = await watch.next();
    expect(first).toEqual({
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { resourceVersion: secret.metadata.resourceVersion },
      },
    });
    await plane.clock.advance("1m");
    expect((await watch.next())?.object).toEqual(first?.object);
    await requests.map("b");
    expect(await watch.changes(1)).toEqual(["ADDED b"]);
    await plane.clock.advance("1m");
    const last = await watch.next();
    expect(last?.type).toBe("BOOKMARK");
    expect(Number(last?.object.metadata?.resourceVersion)).toBe(versionOf(secret) + 1);
  });

  test("7: a bookmark comes near the end of the watch", async () => {
    const { requests, plane } = await openFor(open);
    await requests.map("a");
    const list = (await requests.get("configmaps")).metadata;
    const query = { resourceVersion: list.resourceVersion, timeoutSeconds: "10" };
    const marked = await requests.watch("configmaps", { ...query, allowWatchBookmarks: "true" });
    const plain = await requests.watch("configmaps", query);
    const secret = await requests.create("secrets", { metadata: { name: "s" } });
    await plane.clock.advance("10s");
    const frames = await marked.rest();
    expect(frames.map(({ type, object }) => [type, object.metadata?.resourceVersion])).toEqual([
      ["BOOKMARK", secret.metadata.resourceVersion],
    ]);
    expect(await plain.rest()).toEqual([]);
  });

  test("7: without allowWatchBookmarks there are none", async () => {
    const { requests, plane } = await openFor(open);
    const { resourceVersion } = (await requests.map("a")).metadata;
    const watch = await requests.watch("configmaps", { resourceVersion });
    await plane.clock.advance("5m");
    await requests.map("b");
    expect(await watch.changes(1)).toEqual(["ADDED b"]);
  });

  test("9: entering a selection is ADDED, leaving it is DELETED", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const query = { labelSelector: "l=1", resourceVersion: "0" };
    const watch = await requests.watch("configmaps", query);
    const entered = await labelled(requests, "a", { l: "1" });
    const stayed = await requests.merge("configmaps/a", { data: { k: "v" } });
    const left = await labelled(requests, "a", { l: "2" });
    await requests.merge("configmaps/a", { data: { k: "unseen" } });
    await requests.map("end", { metadata: { labels: { l: "1" } } });
    const frames = await watch.take(4);
    expect(frames.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED", "ADDED"]);
    expect(frames[0]?.object).toEqual(entered);
    expect(frames[1]?.object).toEqual(stayed);
    // As it last was in the selection, at the version of its leaving.
    expect(frames[2]?.object).toEqual({
      ...stayed,
      metadata: { ...stayed.metadata, resourceVersion: left.metadata.resourceVersion },
    });
    expect(frames[3]?.object.metadata?.name).toBe("end");
  });

  test("9: selections by field have the same transitions", async () => {
    const { requests } = await openFor(open);
    const spec = { containers: [{ name: "c", image: "i" }] };
    const free = await requests.watch("pods", { fieldSelector: "spec.nodeName=" });
    const placed = await requests.watch("pods", { fieldSelector: "spec.nodeName=n1" });
    const made = await requests.create("pods", { metadata: { name: "a" }, spec });
    await requests.create("pods/a/binding", { metadata: { name: "a" }, target: { name: "n1" } });
    const bound = await requests.get("pods/a");
    const [added, gone] = await free.take(2);
    expect(added).toEqual({ type: "ADDED", object: made });
    expect(gone?.type).toBe("DELETED");
    expect(gone?.object).toEqual({
      ...made,
      metadata: { ...made.metadata, resourceVersion: bound.metadata.resourceVersion },
    });
    expect(await placed.next()).toEqual({ type: "ADDED", object: bound });
  });

  test("10: DELETED shows the last state at the version of the deletion", async () => {
    const { requests } = await openFor(open);
    const made = await requests.map("a", { data: { k: "v" } });
    const { resourceVersion } = made.metadata;
    const watch = await requests.watch("configmaps", { resourceVersion });
    await requests.delete("configmaps/a");
    const now = (await requests.get("configmaps")).metadata.resourceVersion;
    expect(Number(now)).toBe(versionOf(made) + 1);
    expect(await watch.next()).toEqual({
      type: "DELETED",
      object: { ...made, metadata: { ...made.metadata, resourceVersion: now } },
    });
  });

  test("11: every watcher sees the same order, and no object goes back", async () => {
    const { requests } = await openFor(open);
    const { resourceVersion } = (await requests.get("configmaps")).metadata;
    const opened = await Promise.all(
      Array.from({ length: 5 }, () => requests.watch("configmaps", { resourceVersion })),
    );
    const writes = Array.from({ length: 10 }, async (_each, writer) => {
      await requests.map(`m${writer}`);
      for (let at = 0; at < 5; at++) {
        await requests.merge(`configmaps/m${writer}`, { data: { at: String(at) } });
      }
      await requests.delete(`configmaps/m${writer}`);
    });
    await Promise.all(writes);
    const [first = [], ...others] = await Promise.all(opened.map((watch) => watch.take(70)));
    const lines = first.map(({ type, object }) => [
      type,
      object.metadata?.name,
      Number(object.metadata?.resourceVersion),
    ]);
    for (const frames of others) {
      expect(
        frames.map(({ type, object }) => [
          type,
          object.metadata?.name,
          Number(object.metadata?.resourceVersion),
        ]),
      ).toEqual(lines);
    }
    const order = lines.map(([, , version]) => version as number);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(new Set(order).size).toBe(70);
  });

  test("12: timeoutSeconds ends the stream between frames", async () => {
    const { requests, plane } = await openFor(open);
    await requests.map("a");
    const watch = await requests.watch("configmaps", { timeoutSeconds: "5" });
    expect(await watch.changes(1)).toEqual(["ADDED a"]);
    await plane.clock.advance("4999ms");
    await requests.map("b");
    expect(await watch.changes(1)).toEqual(["ADDED b"]);
    await plane.clock.advance("1ms");
    await requests.map("c");
    expect(await watch.rest()).toEqual([]);
    const query = { watch: "true", timeoutSeconds: "abc" };
    expect(refusalIn(await requests.call("GET", "configmaps", { query }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: 'strconv.ParseInt: parsing "abc": invalid syntax',
    });
  });

  test("12: a watch without a limit ends after 30 to 60 minutes, each at its own", async () => {
    const { requests, plane } = await openFor(open);
    await requests.map("a");
    const opened = [];
    for (let at = 0; at < 8; at++) opened.push(await requests.watch("configmaps"));
    const ends: number[] = [];
    const ending = opened.map(async (watch) => {
      await watch.rest();
      ends.push(plane.clock.monotonic() / 60_000);
    });
    await plane.clock.advance("29m59s");
    expect(ends).toEqual([]);
    await plane.clock.advance("10m");
    const early = ends.length;
    await plane.clock.advance("20m1s");
    await Promise.all(ending);
    expect(ends).toHaveLength(8);
    expect(early).toBeGreaterThan(0);
    expect(early).toBeLessThan(8);
  });

  test("13: a write that changes nothing is no write", async () => {
    const { requests } = await openFor(open);
    const made = await requests.map("a", { data: { k: "v" } });
    const watch = await requests.watch("configmaps", {
      resourceVersion: made.metadata.resourceVersion,
    });
    expect(await requests.update("configmaps/a", made)).toEqual(made);
    expect(await requests.merge("configmaps/a", { data: { k: "v" } })).toEqual(made);
    const patched = await requests.jsonPatch("configmaps/a", [
      { op: "test", path: "/data/k", value: "v" },
    ]);
    expect(patched.object).toEqual(made);
    // Defaults that are spelled out change nothing either.
    const template = {
      metadata: { labels: { app: "a" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const selector = { matchLabels: { app: "a" } };
    const spec = { selector, template };
    const deployment = await requests.create("deployments", { metadata: { name: "d" }, spec });
    const again = await requests.update("deployments/d", { metadata: { name: "d" }, spec });
    expect(again).toEqual(deployment);
    const list = await requests.get("configmaps");
    expect(versionOf(list)).toBe(versionOf(deployment));
    await requests.map("end");
    expect(await watch.changes(1)).toEqual(["ADDED end"]);
  });

  test("E16: what is deleted outside a selection is not told", async () => {
    const { requests } = await openFor(open);
    await requests.map("out");
    const watch = await requests.watch("configmaps", {
      labelSelector: "l=1",
      resourceVersion: "0",
    });
    await requests.delete("configmaps/out");
    await requests.map("in", { metadata: { labels: { l: "1" } } });
    await requests.delete("configmaps/in");
    expect(await watch.changes(2)).toEqual(["ADDED in", "DELETED in"]);
  });
}
