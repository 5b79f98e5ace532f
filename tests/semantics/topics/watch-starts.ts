/** Watches: where they start (semantics 4-6, 8, E22). */
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { type Requests, refusalIn } from "../requests.ts";

const labelled = (requests: Requests, name: string, labels: Record<string, string | null>) =>
  requests.merge(`configmaps/${name}`, { metadata: { labels } });

export function watchStartsSuite(open: OpenPlane): void {
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

  test("5: a watch that begins among writes shows state and changes without a seam", async () => {
    const { requests } = await openFor(open);
    for (let at = 0; at < 50; at++) await requests.map(`m${at}`, { data: { n: "0" } });
    const state = { going: true };
    const writing = (async () => {
      for (let n = 1; state.going; n++) {
        await requests.merge(`configmaps/m${n % 50}`, { data: { n: String(n) } });
      }
    })();
    const opened = [];
    for (let at = 0; at < 5; at++) opened.push(await requests.watch("configmaps"));
    state.going = false;
    await writing;
    await requests.map("zz-end");
    const last = await requests.get("configmaps");
    for (const watch of opened) {
      const states = new Map<string, number>();
      for (;;) {
        const { object, type } = (await watch.next())!;
        const { name = "", resourceVersion } = object.metadata ?? {};
        // Told once at the beginning, and each change once, in order.
        expect(type).toBe(states.has(name) ? "MODIFIED" : "ADDED");
        expect(Number(resourceVersion)).toBeGreaterThan(states.get(name) ?? 0);
        states.set(name, Number(resourceVersion));
        if (name === "zz-end") break;
      }
      const shown = last.items.map(({ metadata }) => [
        metadata.name,
        Number(metadata.resourceVersion),
      ]);
      expect([...states].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(shown);
    }
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
}
