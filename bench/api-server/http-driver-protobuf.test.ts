import { expect, test } from "vitest";
import { drive, missingDriver } from "../harness/http-driver.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import { ask } from "./ask-server.ts";
import { apiServer, bareHandler } from "./server-under-test.ts";

// The driver is a Go program: without `npm run assets -- http-driver` there is nothing to test.
const lacksDriver = missingDriver().length > 0;

/** The object without what differs from write to write. */
async function read(server: LoadedServer, path: string): Promise<unknown> {
  const { status, text } = await ask(server, { method: "GET", path });
  expect(status).toBe(200);
  const object = JSON.parse(text) as { metadata: Record<string, unknown> };
  const { name, labels, annotations } = object.metadata;
  return { ...object, metadata: { name, labels, annotations } };
}

test.skipIf(lacksDriver)("protobuf writes the very objects that JSON writes", async () => {
  const server = await apiServer();
  for (const kind of ["configmaps", "pods"]) {
    for (const encoding of ["json", "protobuf"]) {
      const load = { kind, encoding, namespace: encoding, objects: 4, inFlight: 4 };
      expect(await drive("create", server, load)).toMatchObject({ requests: 4, oracle: "ok" });
    }
    const json = await read(server, `/api/v1/namespaces/json/${kind}/object-0000003`);
    const protobuf = await read(server, `/api/v1/namespaces/protobuf/${kind}/object-0000003`);
    expect(protobuf).toEqual(json);
    expect(json).toMatchObject({ metadata: { labels: { app: "bench-3", shard: "3" } } });
  }
});

test.skipIf(lacksDriver)("what is read, updated and listed in protobuf is checked", async () => {
  const server = await apiServer();
  const base = { encoding: "protobuf", objects: 120, inFlight: 8 };
  for (const kind of ["configmaps", "pods"]) await drive("create", server, { ...base, kind });
  const load = { ...base, requests: 40 };
  expect(await drive("get", server, load)).toMatchObject({ requests: 40, oracle: "ok" });
  expect(await drive("update", server, load)).toMatchObject({ requests: 40, oracle: "ok" });
  const pods = { ...load, kind: "pods" };
  expect(await drive("status", server, pods)).toMatchObject({ requests: 40, oracle: "ok" });
  for (const [variant, items] of [
    ["whole", 120],
    ["label", 2],
  ] as const) {
    const result = await drive("list", server, { ...pods, requests: 2, inFlight: 1, variant });
    expect(result).toMatchObject({ items, requests: 2, oracle: "ok" });
  }
});

test.skipIf(lacksDriver)("JSON where protobuf was asked for fails the oracle", async () => {
  const server = await bareHandler();
  await drive("create", server, { objects: 8 });
  const load = { encoding: "protobuf", objects: 8, requests: 8, inFlight: 1 };
  await expect(drive("get", server, load)).rejects.toThrow(/object-\d+ is at ""; the list said/);
  await expect(drive("list", server, load)).rejects.toThrow(/not protobuf of Kubernetes: "{/);
});

test.skipIf(lacksDriver)("a kind that the driver cannot encode is refused", async () => {
  const server = await bareHandler();
  await expect(drive("create", server, { kind: "widgets", encoding: "protobuf" })).rejects.toThrow(
    '--encoding protobuf is for configmaps and pods; --kind is "widgets"',
  );
});
