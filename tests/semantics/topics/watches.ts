/** Watches: where they start, what they tell, how they end (semantics 4-13, E16, E22). */
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { type Requests, refusalIn, versionOf } from "../requests.ts";

const labelled = (requests: Requests, name: string, labels: Record<string, string | null>) =>
  requests.merge(`configmaps/${name}`, { metadata: { labels } });

export function watchesSuite(open: OpenPlane): void {
  test("4: without a version, and from 0, the state comes first", async () => {
    const { requests } = await openFor(open);
    const b = await requests.map("b");
    const a = await requests.map("a");
    for (const query of [{}, { resourceVersion: "0" }]) {
      const watch = await requests.watch("configmaps", query);
      expect(watch.status).toBe(200);
      expect(watch.headers["content-type"]).toBe("application/json");
      expect(await watch.take(2)).toEqual([
        { type: "ADDED", object: a },
        { type: "ADDED", object: b },
      ]);
    }
    const live = await requests.watch("configmaps");
    await requests.map("c");
    expect(await live.changes(3)).toEqual(["ADDED a", "ADDED b", "ADDED c"]);
  });

  test("4: from a version only what follows is told", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const { resourceVersion } = (await requests.map("b")).metadata;
    const changed = await labelled(requests, "a", { l: "1" });
    const watch = await requests.watch("configmaps", { resourceVersion });
    await requests.map("c");
    const [first] = await watch.take(1);
    expect(first).toEqual({ type: "MODIFIED", object: changed });
    expect(await watch.changes(1)).toEqual(["ADDED c"]);
  });

  test("5: a list and a watch from it lose nothing and repeat nothing", async () => {
    const { requests, plane } = await openFor(open);
    await requests.map("a");
    const { resourceVersion } = (await requests.get("configmaps")).metadata;
    await requests.map("b");
    await labelled(requests, "a", { l: "1" });
    await plane.clock.advance("4m");
    await requests.delete("configmaps/b");
    const watch = await requests.watch("configmaps", { resourceVersion });
    await requests.map("c");
    expect(await watch.changes(4)).toEqual(["ADDED b", "MODIFIED a", "DELETED b", "ADDED c"]);
  });

  test("5: a watch can be taken up where another stopped", async () => {
    const { requests } = await openFor(open);
    const { resourceVersion } = (await requests.get("configmaps")).metadata;
    const told: string[] = [];
    let from = resourceVersion;
    for (let round = 0; round < 5; round++) {
      await requests.map(`a${round}`);
      await requests.map(`b${round}`);
      const watch = await requests.watch("configmaps", { resourceVersion: from });
      const frame = await watch.next();
      told.push(frame?.object.metadata?.name ?? "");
      from = frame?.object.metadata?.resourceVersion ?? "";
      await watch[Symbol.asyncDispose]();
    }
    const rest = await requests.watch("configmaps", { resourceVersion: from });
    for (const { object } of await rest.take(5)) told.push(object.metadata?.name ?? "");
    expect(told).toEqual(["a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4"]);
  });

  test("6: a version too old is an ERROR event on a 200, every time", async () => {
    const { requests, plane } = await openFor(open);
    const { resourceVersion } = (await requests.map("a")).metadata;
    await requests.map("b");
    await plane.clock.advance("10m");
    for (let attempt = 0; attempt < 2; attempt++) {
      const watch = await requests.watch("configmaps", { resourceVersion });
      expect(watch.status).toBe(200);
      const [error, ...more] = await watch.rest();
      expect(more).toEqual([]);
      const { message = "" } = (error?.object ?? {}) as { message?: string };
      expect(error).toEqual({
        type: "ERROR",
        object: {
          kind: "Status",
          apiVersion: "v1",
          metadata: {},
          status: "Failure",
          message,
          reason: "Expired",
          code: 410,
        },
      });
      expect(message).toBe(
        `too old resource version: ${resourceVersion} (${plane.store.compactRevision})`,
      );
    }
    const listed = (await requests.get("configmaps")).metadata;
    const watch = await requests.watch("configmaps", { resourceVersion: listed.resourceVersion });
    await requests.map("c");
    expect(await watch.changes(1)).toEqual(["ADDED c"]);
  });

  test("6: a version that is none is refused", async () => {
    const { requests } = await openFor(open);
    for (const resourceVersion of ["abc", "-1", "1.5"]) {
      const query = { watch: "true", resourceVersion };
      expect(refusalIn(await requests.call("GET", "configmaps", { query }))).toEqual({
        code: 500,
        message: `resourceVersion: Invalid value: "${resourceVersion}": strconv.ParseUint: parsing "${resourceVersion}": invalid syntax`,
      });
    }
  });

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

  test("8: initial events end with an annotated bookmark, then it is live", async () => {
    const { requests } = await openFor(open);
    await requests.map("b");
    await requests.map("a");
    const query = {
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
      allowWatchBookmarks: "true",
    };
    const { resourceVersion } = (await requests.get("configmaps")).metadata;
    const watch = await requests.watch("configmaps", query);
    expect(await watch.changes(2)).toEqual(["ADDED a", "ADDED b"]);
    expect(await watch.next()).toEqual({
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { resourceVersion, annotations: { "k8s.io/initial-events-end": "true" } },
      },
    });
    await requests.delete("configmaps/a");
    expect(await watch.changes(1)).toEqual(["DELETED a"]);
    const empty = await requests.watch("pods", query);
    expect(await empty.take(1)).toMatchObject([
      { type: "BOOKMARK", object: { kind: "Pod", spec: { containers: null }, status: {} } },
    ]);
  });

  test("8: sendInitialEvents=false tells only what follows", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const query = { sendInitialEvents: "false", resourceVersionMatch: "NotOlderThan" };
    const watch = await requests.watch("configmaps", query);
    await requests.map("b");
    expect(await watch.changes(1)).toEqual(["ADDED b"]);
  });

  test("8: what sendInitialEvents needs, and where it is forbidden", async () => {
    const { requests } = await openFor(open);
    const prefix = 'ListOptions.meta.k8s.io "" is invalid: ';
    const refuse = async (query: Record<string, string>, message: string): Promise<void> => {
      const answer = await requests.call("GET", "configmaps", { query });
      expect(refusalIn(answer)).toMatchObject({
        code: 422,
        reason: "Invalid",
        message: prefix + message,
      });
    };
    const missing =
      "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    await refuse({ watch: "true", sendInitialEvents: "true" }, missing);
    await refuse({ watch: "true", sendInitialEvents: "false" }, missing);
    await refuse(
      { watch: "true", sendInitialEvents: "true", resourceVersionMatch: "Exact" },
      `[${missing}, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]`,
    );
    await refuse(
      { sendInitialEvents: "true" },
      "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list",
    );
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

  test("E22: a plain watch from the future waits without an error", async () => {
    const { requests, plane } = await openFor(open);
    const { resourceVersion } = (await requests.map("a")).metadata;
    const future = String(Number(resourceVersion) + 2);
    const watch = await requests.watch("configmaps", { resourceVersion: future });
    expect(watch.status).toBe(200);
    await plane.clock.advance("5s");
    for (const name of ["b", "c", "d"]) await requests.map(name);
    expect(await watch.changes(1)).toEqual(["ADDED d"]);
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
