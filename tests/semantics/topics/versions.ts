/** Resource versions: what they count, and what reading at one means (semantics 1-3). */
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { refusalIn, versionOf } from "../requests.ts";

const FUTURE = "999999999";
const LIST_OPTIONS = 'ListOptions.meta.k8s.io "" is invalid: ';

export function versionsSuite(open: OpenPlane): void {
  test("1: one counter gives the versions of all kinds", async () => {
    const { requests } = await openFor(open);
    const seen: number[] = [];
    seen.push(versionOf(await requests.map("a")));
    seen.push(versionOf(await requests.create("secrets", { metadata: { name: "a" } })));
    seen.push(versionOf(await requests.create("namespaces", { metadata: { name: "sem-b" } })));
    seen.push(versionOf(await requests.merge("configmaps/a", { data: { k: "1" } })));
    const [first = 0] = seen;
    expect(seen).toEqual([first, first + 1, first + 2, first + 3]);
  });

  test("1: an object keeps the version of its last write", async () => {
    const { requests } = await openFor(open);
    const made = await requests.map("a");
    await requests.map("b");
    expect((await requests.get("configmaps/a")).metadata.resourceVersion).toBe(
      made.metadata.resourceVersion,
    );
    const changed = await requests.merge("configmaps/a", { data: { k: "1" } });
    expect(versionOf(changed)).toBeGreaterThan(versionOf(made));
    expect(await requests.get("configmaps/a")).toEqual(changed);
  });

  test("1: a list has the version of the store, not of its items", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const secret = await requests.create("secrets", { metadata: { name: "later" } });
    const list = await requests.get("configmaps");
    expect(versionOf(list)).toBe(versionOf(secret));
  });

  test("1: the version of an empty list is a place to watch from", async () => {
    const { requests } = await openFor(open);
    const list = await requests.get("pods");
    expect(list).toEqual({
      kind: "PodList",
      apiVersion: "v1",
      metadata: { resourceVersion: list.metadata.resourceVersion },
      items: [],
    });
    versionOf(list);
    const { resourceVersion } = (await requests.get("configmaps")).metadata;
    await requests.map("a");
    const watch = await requests.watch("configmaps", { resourceVersion });
    expect(await watch.changes(1)).toEqual(["ADDED a"]);
  });

  test("2: no version, 0 and a version reached read what is newest", async () => {
    const { requests } = await openFor(open);
    const old = await requests.map("a");
    const now = await requests.merge("configmaps/a", { data: { k: "1" } });
    for (const resourceVersion of ["", "0", old.metadata.resourceVersion]) {
      const query = resourceVersion === "" ? {} : { resourceVersion };
      expect(await requests.get("configmaps/a", query)).toEqual(now);
      const list = await requests.get("configmaps", query);
      expect(list.items[0]?.metadata.resourceVersion).toBe(now.metadata.resourceVersion);
      expect(versionOf(list)).toBe(versionOf(now));
    }
  });

  test("2: a version of the future is refused after three seconds", async () => {
    const { requests, plane } = await openFor(open);
    const made = await requests.map("a");
    for (const place of ["configmaps/a", "configmaps"]) {
      const waits = plane.clock.timerSet(3000);
      const asked = requests.call("GET", place, { query: { resourceVersion: FUTURE } });
      await waits;
      await plane.clock.advance("3s");
      const answer = await asked;
      expect(refusalIn(answer)).toEqual({
        code: 504,
        reason: "Timeout",
        message: `Timeout: Too large resource version: ${FUTURE}, current: ${made.metadata.resourceVersion}`,
        details: {
          causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
          retryAfterSeconds: 1,
        },
      });
      expect(answer.headers["retry-after"]).toBe("1");
    }
  });

  test("2: a version that is reached in time is answered", async () => {
    const { requests, plane } = await openFor(open);
    await requests.map("a");
    for (const place of ["configmaps/a", "configmaps"]) {
      const query = { resourceVersion: String(versionOf(await requests.get("configmaps")) + 1) };
      const waits = plane.clock.timerSet(3000);
      const asked = requests.call("GET", place, { query });
      await waits;
      await plane.clock.advance("1s");
      await requests.create("secrets", { metadata: { generateName: "s-" } });
      expect((await asked).status).toBe(200);
    }
  });

  test("2: a version that is none is refused", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const invalid =
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax';
    const query = { resourceVersion: "abc" };
    expect(refusalIn(await requests.call("GET", "configmaps/a", { query }))).toEqual({
      code: 500,
      message: invalid,
    });
    expect(refusalIn(await requests.call("GET", "configmaps", { query }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: `invalid resource version: ${invalid}`,
    });
  });

  test("3: resourceVersionMatch is forbidden where it means nothing", async () => {
    const { requests } = await openFor(open);
    const { resourceVersion } = (await requests.map("a")).metadata;
    const rules: readonly (readonly [Record<string, string>, string])[] = [
      [
        { resourceVersionMatch: "Exact" },
        "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
      ],
      [
        { resourceVersionMatch: "NotOlderThan" },
        "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
      ],
      [
        { resourceVersionMatch: "Exact", resourceVersion: "0" },
        'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ],
      [
        { resourceVersionMatch: "NotOlderThan", resourceVersion, continue: "x" },
        "Forbidden: resourceVersionMatch is forbidden when continue is provided",
      ],
      [
        { resourceVersionMatch: "exact", resourceVersion },
        'Unsupported value: "exact": supported values: "Exact", "NotOlderThan", ""',
      ],
    ];
    for (const [query, problem] of rules) {
      const answer = await requests.call("GET", "configmaps", { query });
      expect(refusalIn(answer)).toEqual({
        code: 422,
        reason: "Invalid",
        message: `${LIST_OPTIONS}resourceVersionMatch: ${problem}`,
        details: {
          group: "meta.k8s.io",
          kind: "ListOptions",
          causes: [
            {
              reason: problem.startsWith("Forbidden")
                ? "FieldValueForbidden"
                : "FieldValueNotSupported",
              message: problem,
              field: "resourceVersionMatch",
            },
          ],
        },
      });
    }
  });

  test("3: Exact, and a limit with a version, show how it was then", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const then = await requests.map("b");
    await requests.merge("configmaps/a", { data: { k: "1" } });
    await requests.delete("configmaps/b");
    const { resourceVersion } = then.metadata;
    const exact = await requests.get("configmaps", {
      resourceVersion,
      resourceVersionMatch: "Exact",
    });
    expect(exact.metadata.resourceVersion).toBe(resourceVersion);
    expect(exact.items.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
    expect(exact.items[0]?.data).toBeUndefined();
    const limited = await requests.get("configmaps", { resourceVersion, limit: "1" });
    expect(limited.metadata).toMatchObject({ resourceVersion, remainingItemCount: 1 });
    expect(limited.items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    const newer = await requests.get("configmaps", {
      resourceVersion,
      resourceVersionMatch: "NotOlderThan",
      limit: "5",
    });
    expect(newer.items.map(({ metadata, data }) => [metadata.name, data])).toEqual([
      ["a", { k: "1" }],
    ]);
  });

  test("3: Exact is Expired once history has forgotten it", async () => {
    const { requests, plane } = await openFor(open);
    const { resourceVersion } = (await requests.map("a")).metadata;
    await requests.map("b");
    await plane.clock.advance("10m");
    const query = { resourceVersion, resourceVersionMatch: "Exact" };
    expect(refusalIn(await requests.call("GET", "configmaps", { query }))).toMatchObject({
      code: 410,
      reason: "Expired",
      message: "The resourceVersion for the provided list is too old.",
    });
    const newer = { resourceVersion, resourceVersionMatch: "NotOlderThan" };
    expect(await requests.names("configmaps", newer)).toEqual(["a", "b"]);
  });

  test("3: a watch takes resourceVersionMatch only with sendInitialEvents", async () => {
    const { requests } = await openFor(open);
    const query = { watch: "true", resourceVersion: "1", resourceVersionMatch: "NotOlderThan" };
    expect(refusalIn(await requests.call("GET", "configmaps", { query }))).toMatchObject({
      code: 422,
      reason: "Invalid",
      message: `${LIST_OPTIONS}resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`,
    });
  });
}
