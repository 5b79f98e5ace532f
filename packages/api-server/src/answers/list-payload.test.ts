import type { KubernetesObject } from "@homeostat/object-model";
import type { KeyValue } from "@homeostat/store";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFor } from "../registry/companion-commit.ts";
import { ResourceTable } from "../registry/resource-table.ts";
import { objectKeyIn } from "../registry/storage-key.ts";
import { listPayload } from "./list-payload.ts";

const table = new ResourceTable();
const configMaps = table.find("", "v1", "configmaps")!;
const newEvents = table.find("events.k8s.io", "v1", "events")!;

function itemsOf(served: typeof configMaps, sizes: readonly number[]): KeyValue[] {
  return sizes.map((size, index) => {
    const metadata = {
      name: `n${index}`,
      namespace: "d",
      uid: String(index),
      annotations: { é: "é".repeat(size) },
    };
    return {
      key: objectKeyIn(served.stored, "d", `n${index}`),
      value: encodeFor(served.stored, { metadata }),
      revision: index === 0 ? Number.MAX_SAFE_INTEGER : index,
      createRevision: 1,
      version: 1,
      expiresAt: undefined,
    };
  });
}

test.for([
  ["kept", configMaps],
  ["converted", newEvents],
] as const)(
  "the pieces of a list are together the list, whatever the sizes of its items: %s",
  ([, served]) => {
    const size = fc.oneof(
      fc.nat(50),
      fc.integer({ min: 60_000, max: 70_000 }),
      fc.constantFrom(131_000, 131_072, 200_000),
    );
    fc.assert(
      fc.property(fc.array(size, { maxLength: 6 }), (sizes) => {
        const items = itemsOf(served, sizes);
        const payload = listPayload({
          items,
          metadata: { resourceVersion: "9", continue: "c" },
          served,
        });
        const chunks = [...payload.chunks()];
        const list = JSON.parse(Buffer.concat(chunks).toString()) as { items: KubernetesObject[] };
        expect(list).toEqual(payload.object());
        expect(list.items.map(({ metadata }) => metadata!.annotations!["é"]!.length)).toEqual(
          sizes.map((each) => each),
        );
        for (const item of list.items) expect(Object.keys(item)).not.toContain("kind");
      }),
      { numRuns: 20 },
    );
  },
);

test("many small items come in few pieces and in their order", () => {
  const items = itemsOf(
    configMaps,
    Array.from({ length: 3_000 }, () => 10),
  );
  const payload = listPayload({ items, metadata: { resourceVersion: "9" }, served: configMaps });
  const chunks = [...payload.chunks()];
  expect(chunks.length).toBeLessThan(6);
  const list = JSON.parse(Buffer.concat(chunks).toString()) as { items: KubernetesObject[] };
  expect(list.items.map(({ metadata }) => metadata!.name)).toEqual(
    items.map((_, index) => `n${index}`),
  );
});
