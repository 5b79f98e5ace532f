import { test } from "vitest";
import type { PlaneUnderTest } from "./plane-under-test.ts";
import type { Semantic } from "./semantic.ts";
import { deletion } from "./topics/deletion.ts";
import { lists } from "./topics/lists.ts";
import { namespaces } from "./topics/namespaces.ts";
import { patches } from "./topics/patches.ts";
import { representation } from "./topics/representation.ts";
import { subresources } from "./topics/subresources.ts";
import { versions } from "./topics/versions.ts";
import { watches } from "./topics/watches.ts";
import { writes } from "./topics/writes.ts";

const topics: readonly (readonly Semantic[])[] = [versions, lists, watches, writes, subresources, patches, deletion, namespaces, representation];

/** A test for every semantic, each on a plane of its own. */
export function testSemantics(open: () => Promise<PlaneUnderTest>): void {
  for (const { name, run } of topics.flat()) {
    test(name, async () => {
      await using plane = await open();
      await run(plane);
    });
  }
}
