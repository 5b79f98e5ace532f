import { ManualClock } from "@homeostat/concurrency";
import type { DoorRequest, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";
import { NodeConnectionError, type NodeConnector } from "../kubelet/node-connector.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const PATH = "/api/v1/componentstatuses";
const REFUSED = "connect: connection refused";

/** Only the scheduler runs, and is not well at all at first. */
function connector(answers: readonly number[]): NodeConnector {
  const left = [...answers];
  return {
    exchange: async ({ host, port, target }) => {
      const status = port === 10259 ? left.shift() : undefined;
      if (status === undefined) {
        throw new NodeConnectionError("node-unreachable", `dial tcp ${host}:${port}: ${REFUSED}`);
      }
      expect(target).toBe("/healthz");
      async function* chunks() {
        yield new TextEncoder().encode("ok");
      }
      return { status, headers: {}, chunks: chunks(), cancel: () => undefined };
    },
    upgrade: () => Promise.reject(new Error("nobody upgrades")),
  };
}

async function openBench(answers: readonly number[] = []) {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const nodes = { connector: connector(answers) };
  const server = await clock.runUntil(createApiServer({ store, clock, nodes }));
  return async (request: Partial<DoorRequest> = {}) => {
    const sent = { method: "GET", path: PATH, user: MASTER, want: "object", ...request } as const;
    const answer = await clock.runUntil(server.door.send(sent));
    if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
    return { ...answer, object: answer.object as KubernetesObject & { message?: string } };
  };
}

const status = (name: string, healthy: string, message: string) => ({
  metadata: { name },
  conditions: [{ type: "Healthy", status: healthy, message }],
});
const absent = (name: string, port: number) =>
  status(
    name,
    "False",
    `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: ${REFUSED}`,
  );

test("where nobody else runs, only the store is well", async () => {
  const send = await openBench();
  const { object, headers } = await send();
  expect(object).toEqual({
    kind: "ComponentStatusList",
    apiVersion: "v1",
    metadata: {},
    items: [
      absent("scheduler", 10259),
      absent("controller-manager", 10257),
      status("etcd-0", "True", "ok"),
    ],
  });
  expect(headers["warning"]).toEqual(['299 - "v1 ComponentStatus is deprecated in v1.19+"']);
});

test("each is asked anew, and may be asked for by its name", async () => {
  const send = await openBench([500, 200]);
  const scheduler = { path: `${PATH}/scheduler` };
  const kind = { kind: "ComponentStatus", apiVersion: "v1" };
  expect((await send(scheduler)).object).toEqual({
    ...kind,
    ...status("scheduler", "False", "HTTP probe failed with statuscode: 500"),
  });
  expect((await send(scheduler)).object).toEqual({ ...kind, ...status("scheduler", "True", "ok") });
  const none = await send({ path: `${PATH}/none` });
  expect(none).toMatchObject({
    status: 404,
    object: {
      message: 'componentstatus "none" not found',
      details: { name: "none", kind: "componentstatus" },
    },
  });
});

test("selectors choose among them; a watch is refused", async () => {
  const send = await openBench();
  const named = await send({ query: { fieldSelector: "metadata.name=etcd-0" } });
  expect(named.object).toMatchObject({ items: [{ metadata: { name: "etcd-0" } }] });
  expect((await send({ query: { labelSelector: "a=b" } })).object).toMatchObject({ items: [] });
  expect(await send({ query: { watch: "1" } })).toMatchObject({
    status: 405,
    object: {
      message: 'watch is not supported on resources of kind "componentstatuses"',
      details: { kind: "componentstatuses" },
    },
  });
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const { object } = await send({ headers: { accept } });
  expect(object).toMatchObject({
    kind: "Table",
    rows: [
      { cells: ["scheduler", "Unhealthy", expect.stringContaining(REFUSED), ""] },
      { cells: ["controller-manager", "Unhealthy", expect.any(String), ""] },
      { cells: ["etcd-0", "Healthy", "ok", ""] },
    ],
  });
});
