import { readFile } from "node:fs/promises";
import { createApiServer } from "@homeostat/api-server";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { doorTarget } from "../embedded-target.ts";
import { comparable, type FreshPlane, listEverything } from "./fresh-plane.ts";

async function freshPlane(): Promise<FreshPlane> {
  await using server = await createApiServer({
    store: openMemoryStore(),
    aggregateRoles: false,
  });
  const clientAuthority = "-----BEGIN CERTIFICATE-----";
  await server.advertise({ address: "192.0.2.1", port: 6443, hostname: "here", clientAuthority });
  return comparable(await listEverything(doorTarget(server)));
}

test("a new plane holds what a new kube-apiserver holds, kind by kind", async () => {
  const file = new URL("fresh-plane.json", import.meta.url);
  const recorded = JSON.parse(await readFile(file, "utf8")) as FreshPlane;
  const ours = await freshPlane();
  expect(Object.keys(ours).sort()).toEqual(Object.keys(recorded).sort());
  for (const [path, items] of Object.entries(recorded)) {
    expect({ path, items: ours[path] }).toEqual({ path, items });
  }
});
