/** Much and large, over HTTPS: 5,000 namespaces, an object of 1.4 MiB. */
import { expect, test, vi } from "vitest";
import { openHttpsPlane } from "./https-plane.ts";
import type { Shown } from "./plane-under-test.ts";
import { Requests } from "./requests.ts";

// A limit for what hangs: a busy machine takes long for so much.
vi.setConfig({ testTimeout: 300_000 });

const COUNT = 5000;
const nameOf = (at: number): string => `n${String(at).padStart(4, "0")}`;

test("5,000 namespaces are created, listed, paged and watched", async () => {
  await using plane = await openHttpsPlane("h2");
  const requests = new Requests(plane);
  const { resourceVersion } = (await requests.get("namespaces")).metadata;
  const query = { resourceVersion, labelSelector: "of=crowd" };
  const watch = await requests.watch("namespaces", query);
  const names = Array.from({ length: COUNT }, (_each, at) => nameOf(at));
  const waiting = [...names];
  const creator = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      await requests.create("namespaces", { metadata: { name, labels: { of: "crowd" } } });
    }
  };
  await Promise.all(Array.from({ length: 50 }, creator));

  const labelSelector = "of=crowd";
  expect(await requests.names("namespaces", { labelSelector })).toEqual(names);
  const everything = await requests.get("namespaces");
  expect(everything.items).toHaveLength(COUNT + 4);

  const paged: string[] = [];
  let page: Shown | undefined;
  do {
    const more = page === undefined ? {} : { continue: page.metadata.continue };
    page = await requests.get("namespaces", { limit: "500", ...more });
    paged.push(...page.items.map(({ metadata }) => metadata.name));
    expect(page.metadata).toMatchObject({
      ...(page.metadata.continue && { remainingItemCount: COUNT + 4 - paged.length }),
    });
  } while (page.metadata.continue);
  expect(paged).toEqual(everything.items.map(({ metadata }) => metadata.name));

  const frames = await watch.take(COUNT);
  expect(new Set(frames.map(({ object }) => object.metadata?.name))).toEqual(new Set(names));
  const versions = frames.map(({ object }) => Number(object.metadata?.resourceVersion));
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  const fieldSelector = `metadata.name=${nameOf(4999)}`;
  expect(await requests.names("namespaces", { fieldSelector })).toEqual([nameOf(4999)]);
});

test.each(["h2", "http/1.1"] as const)(
  "over %s, an object of 1.4 MiB is created, read, listed, watched and changed",
  async (protocol) => {
    await using plane = await openHttpsPlane(protocol);
    const requests = new Requests(plane);
    const argument = "x".repeat(Math.trunc(1.4 * 2 ** 20));
    const watch = await requests.watch("pods", { resourceVersion: "0" });
    const made = await requests.create("pods", {
      metadata: { name: "a" },
      spec: { containers: [{ name: "c", image: "i", args: [argument] }] },
    });
    expect(made.spec["containers"]).toMatchObject([{ args: [argument] }]);
    expect((await requests.get("pods/a")) as unknown).toEqual(made);
    const labelled = await requests.merge("pods/a", { metadata: { labels: { l: "1" } } });
    const { items } = await requests.get("pods");
    const { kind: _kind, apiVersion: _version, ...item } = labelled;
    expect(items).toEqual([item]);
    await requests.delete("pods/a");
    const frames = await watch.take(4);
    // A pod is marked before it is removed.
    expect(frames.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "MODIFIED", "DELETED"]);
    expect(frames[0]?.object).toEqual(made);
    expect(frames[1]?.object).toEqual(labelled);
  },
);
