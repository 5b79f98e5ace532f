/** Lists: pages, expiry, selectors (semantics 14-17). */
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import type { PlaneUnderTest } from "../plane-under-test.ts";
import { type Refusal, type Requests, refusalIn, versionOf } from "../requests.ts";

const EXPIRED_CONTINUE =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";

/** Maps a to e; a, c and e are even. */
async function five(requests: Requests): Promise<void> {
  for (const [at, name] of ["a", "b", "c", "d", "e"].entries()) {
    await requests.map(name, { metadata: { labels: { parity: at % 2 === 0 ? "even" : "odd" } } });
  }
}

/** How a list with this query is refused. */
async function refusalOf(requests: Requests, query: Record<string, string>): Promise<Refusal> {
  return refusalIn(await requests.call("GET", "configmaps", { query }));
}

function badRequest(message: string): Refusal {
  return { code: 400, reason: "BadRequest", message };
}

/** History is kept for at least five minutes and at most twice as long. */
async function forgetHistory({ clock }: PlaneUnderTest): Promise<void> {
  await clock.advance("10m");
}

export function listsSuite(open: OpenPlane): void {
  test("14: later pages come from the first page's snapshot", async () => {
    const { requests } = await openFor(open);
    await five(requests);
    const one = await requests.get("configmaps", { limit: "2" });
    expect(one.items.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
    expect(one.metadata).toMatchObject({ remainingItemCount: 3 });
    await requests.map("bb");
    await requests.delete("configmaps/d");
    await requests.merge("configmaps/e", { data: { k: "1" } });
    const two = await requests.get("configmaps", { limit: "2", continue: one.metadata.continue });
    expect(two.items.map(({ metadata }) => metadata.name)).toEqual(["c", "d"]);
    expect(two.metadata).toMatchObject({
      resourceVersion: one.metadata.resourceVersion,
      remainingItemCount: 1,
    });
    const three = await requests.get("configmaps", { limit: "2", continue: two.metadata.continue });
    expect(three.metadata).toEqual({ resourceVersion: one.metadata.resourceVersion });
    expect(three.items.map(({ metadata, data }) => [metadata.name, data])).toEqual([
      ["e", undefined],
    ]);
    expect(await requests.names("configmaps")).toEqual(["a", "b", "bb", "c", "e"]);
  });

  test("14: with a selector the limit counts matches and no rest is told", async () => {
    const { requests } = await openFor(open);
    await five(requests);
    const query = { labelSelector: "parity=even", limit: "2" };
    const one = await requests.get("configmaps", query);
    expect(one.items.map(({ metadata }) => metadata.name)).toEqual(["a", "c"]);
    expect(Object.keys(one.metadata).toSorted()).toEqual(["continue", "resourceVersion"]);
    const two = await requests.get("configmaps", { ...query, continue: one.metadata.continue });
    expect(two.items.map(({ metadata }) => metadata.name)).toEqual(["e"]);
    expect(Object.keys(two.metadata)).toEqual(["resourceVersion"]);
  });

  test("14: a page that ends with the list has no continue", async () => {
    const { requests } = await openFor(open);
    await five(requests);
    const list = await requests.get("configmaps", { limit: "5" });
    expect(list.items).toHaveLength(5);
    expect(Object.keys(list.metadata)).toEqual(["resourceVersion"]);
  });

  test("14: the order is by namespace and name", async () => {
    const { requests } = await openFor(open);
    for (const namespace of ["sem-b", "sem-a"]) {
      await requests.create("namespaces", { metadata: { name: namespace } });
      for (const name of ["z", "a.b", "a-b", "a", "a0"]) {
        const path = `/api/v1/namespaces/${namespace}/secrets`;
        await requests.create(path, { metadata: { name } });
      }
    }
    const { items } = await requests.get("/api/v1/secrets");
    expect(items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      "sem-a/a",
      "sem-a/a-b",
      "sem-a/a.b",
      "sem-a/a0",
      "sem-a/z",
      "sem-b/a",
      "sem-b/a-b",
      "sem-b/a.b",
      "sem-b/a0",
      "sem-b/z",
    ]);
    const page = await requests.get("/api/v1/secrets", { limit: "4" });
    const next = await requests.get("/api/v1/secrets", {
      limit: "2",
      continue: page.metadata.continue,
    });
    expect(next.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      "sem-a/z",
      "sem-b/a",
    ]);
  });

  test("14: continue with a version is refused, with version 0 it is not", async () => {
    const { requests } = await openFor(open);
    await five(requests);
    const { metadata } = await requests.get("configmaps", { limit: "2" });
    expect(
      await refusalOf(requests, {
        continue: metadata.continue,
        resourceVersion: metadata.resourceVersion,
      }),
    ).toEqual(badRequest("specifying resource version is not allowed when using continue"));
    const query = { continue: metadata.continue, resourceVersion: "0" };
    expect(await requests.names("configmaps", query)).toEqual(["c", "d", "e"]);
  });

  test("14: a limit with version 0 is not kept", async () => {
    const { requests } = await openFor(open);
    await five(requests);
    const list = await requests.get("configmaps", { limit: "2", resourceVersion: "0" });
    expect(list.items).toHaveLength(5);
    expect(list.metadata.continue).toBeUndefined();
  });

  test("14: limits and tokens that are none are refused", async () => {
    const { requests } = await openFor(open);
    expect(await refusalOf(requests, { limit: "abc" })).toEqual(
      badRequest('strconv.ParseInt: parsing "abc": invalid syntax'),
    );
    expect(await refusalOf(requests, { limit: "" })).toEqual(
      badRequest('strconv.ParseInt: parsing "": invalid syntax'),
    );
    const token = Buffer.from('{"v":"other","rv":5,"start":"a"}').toString("base64url");
    expect(await refusalOf(requests, { continue: token })).toEqual(
      badRequest(
        "invalid continue token: continue key is not valid: server does not recognize this encoded version other",
      ),
    );
  });

  test("15: an expired continue comes with a fresh one", async () => {
    const { requests, plane } = await openFor(open);
    await five(requests);
    const page = await requests.get("configmaps", { limit: "2" });
    await requests.delete("configmaps/d");
    await requests.map("ee");
    await forgetHistory(plane);
    const query = { limit: "1", continue: page.metadata.continue };
    const answer = await requests.call("GET", "configmaps", { query });
    expect(answer.status).toBe(410);
    const { metadata } = answer.object;
    expect(answer.object).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: { continue: metadata.continue },
      status: "Failure",
      message: EXPIRED_CONTINUE,
      reason: "Expired",
      code: 410,
    });
    const rest = await requests.get("configmaps", { limit: "2", continue: metadata.continue });
    expect(rest.items.map(({ metadata: { name } }) => name)).toEqual(["c", "e"]);
    expect(versionOf(rest)).toBe(versionOf(await requests.get("configmaps")));
    const last = await requests.get("configmaps", { continue: rest.metadata.continue });
    expect(last.items.map(({ metadata: { name } }) => name)).toEqual(["ee"]);
  });

  test("16: history is forgotten after minutes, what is now is not", async () => {
    const { requests, plane } = await openFor(open);
    await five(requests);
    for (let round = 0; round < 20; round++) {
      await requests.merge("configmaps/a", { data: { round: String(round) } });
    }
    expect(plane.store.statistics().historyEvents).toBeGreaterThanOrEqual(25);
    await plane.clock.advance("4m");
    expect(plane.store.statistics().historyEvents).toBeGreaterThanOrEqual(25);
    await plane.clock.advance("6m");
    expect(plane.store.statistics().historyEvents).toBe(0);
    expect(await requests.names("configmaps")).toEqual(["a", "b", "c", "d", "e"]);
    expect((await requests.get("configmaps/a")).data).toEqual({ round: "19" });
  });

  test("16: an Event goes after an hour, with a DELETED event", async () => {
    const { requests, plane } = await openFor(open);
    const event = {
      involvedObject: { kind: "Pod", namespace: "default", name: "p" },
      reason: "Tested",
    };
    await requests.create("events", { metadata: { name: "a" }, ...event });
    await plane.clock.advance("40m");
    const kept = await requests.create("events", { metadata: { name: "b" }, ...event });
    await requests.map("m");
    const { resourceVersion } = kept.metadata;
    const watch = await requests.watch("events", { resourceVersion, timeoutSeconds: "86400" });
    await plane.clock.advance("19m");
    expect(await requests.names("events")).toEqual(["a", "b"]);
    await plane.clock.advance("2m");
    expect(await watch.changes(1)).toEqual(["DELETED a"]);
    expect(await requests.names("events")).toEqual(["b"]);
    // A write begins the hour anew.
    await requests.merge("events/b", { message: "again" });
    await plane.clock.advance("59m");
    expect(await requests.names("events")).toEqual(["b"]);
    await plane.clock.advance("2m");
    expect(await requests.names("events")).toEqual([]);
    expect(await requests.names("configmaps")).toEqual(["m"]);
  });

  test("17: label selectors choose", async () => {
    const { requests } = await openFor(open);
    await five(requests);
    const choose = (labelSelector: string) => requests.names("configmaps", { labelSelector });
    expect(await choose("parity=even")).toEqual(["a", "c", "e"]);
    expect(await choose("parity!=even")).toEqual(["b", "d"]);
    expect(await choose("parity in (odd, none)")).toEqual(["b", "d"]);
    expect(await choose("parity notin (odd)")).toEqual(["a", "c", "e"]);
    expect(await choose("!parity")).toEqual([]);
    expect(await choose("parity,parity==odd")).toEqual(["b", "d"]);
    expect(await choose("constructor")).toEqual([]);
  });

  test("17: field selectors choose by name, namespace and fields of the kind", async () => {
    const { requests } = await openFor(open);
    await five(requests);
    const choose = (fieldSelector: string) => requests.names("configmaps", { fieldSelector });
    expect(await choose("metadata.name=b")).toEqual(["b"]);
    expect(await choose("metadata.name!=b,metadata.namespace=default")).toEqual([
      "a",
      "c",
      "d",
      "e",
    ]);
    expect(await choose("metadata.namespace=other")).toEqual([]);
    const spec = { containers: [{ name: "c", image: "i" }] };
    await requests.create("pods", { metadata: { name: "free" }, spec });
    await requests.create("pods", {
      metadata: { name: "placed" },
      spec: { ...spec, nodeName: "n1" },
    });
    const pods = (fieldSelector: string) => requests.names("pods", { fieldSelector });
    expect(await pods("spec.nodeName=")).toEqual(["free"]);
    expect(await pods("spec.nodeName=n1,status.phase=Pending")).toEqual(["placed"]);
  });

  test("17: a field that cannot be selected by is refused, never ignored", async () => {
    const { requests } = await openFor(open);
    await five(requests);
    expect(await refusalOf(requests, { fieldSelector: "data.k=1" })).toEqual(
      badRequest(
        '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
      ),
    );
    expect(await refusalOf(requests, { fieldSelector: "metadata.name" })).toEqual(
      badRequest("invalid selector: 'metadata.name'; can't understand 'metadata.name'"),
    );
    for (const watch of ["false", "true"]) {
      const query = { fieldSelector: "spec.containers=x", watch };
      expect(refusalIn(await requests.call("GET", "pods", { query }))).toEqual({
        code: 400,
        reason: "BadRequest",
        message: "field label not supported: spec.containers",
      });
    }
    const query = { fieldSelector: "spec.nodeName=n1" };
    expect(refusalIn(await requests.call("DELETE", "configmaps", { query }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message:
        '"spec.nodeName" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
    expect(await requests.names("configmaps")).toHaveLength(5);
  });

  test("17: a label selector that is wrong is refused", async () => {
    const { requests } = await openFor(open);
    const wrong: readonly (readonly [string, string])[] = [
      ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
      ["parity in even", "unable to parse requirement: found 'even' expected: '('"],
      ["a,", "found '', expected: identifier after ','"],
      [
        "n>abc",
        `unable to parse requirement: values[0]: Invalid value: "abc": for 'Gt', 'Lt' operators, the value must be an integer`,
      ],
    ];
    for (const [labelSelector, message] of wrong) {
      expect(await refusalOf(requests, { labelSelector })).toEqual(badRequest(message));
    }
  });
}
