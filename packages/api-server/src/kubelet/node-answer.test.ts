import { ManualClock } from "@homeostat/concurrency";
import { ApiError, type KubernetesObject } from "@homeostat/object-model";
import type { PodExecOptions } from "@homeostat/object-model/core-v1";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import type { AdmissionPlugin } from "../admission/admission.ts";
import { AdmissionChain } from "../admission/admission-chain.ts";
import type { Answer } from "../answers/answer.ts";
import { alwaysAllow } from "../authorization/always-allow.ts";
import { Query } from "../http/query.ts";
import { encodeFor } from "../registry/companion-commit.ts";
import { ResourceTable } from "../registry/resource-table.ts";
import { objectKeyIn } from "../registry/storage-key.ts";

import type { ResourceRequest } from "../verbs/resource-request.ts";
import { nodeAnswer } from "./node-answer.ts";
import { NODE_ADDRESS_TYPES } from "./node-connector.ts";

/** Asks for an exec in the pod `web`, which has the containers `a` and `b`. */
async function exec(query: string, plugin: AdmissionPlugin): Promise<Answer> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const table = new ResourceTable();
  const admission = new AdmissionChain();
  admission.use(plugin);
  const keep = async (plural: string, namespace: string, object: object): Promise<void> => {
    const { stored } = table.find("", "v1", plural)!;
    const kept = object as KubernetesObject;
    const key = objectKeyIn(stored, namespace, kept.metadata!.name!);
    await clock.runUntil(store.create(key, encodeFor(stored, kept)));
  };
  await keep("nodes", "", {
    metadata: { name: "n", uid: "1" },
    status: { addresses: [{ type: "InternalIP", address: "10.0.0.1" }] },
  });
  await keep("pods", "default", {
    metadata: { name: "web", namespace: "default", uid: "2" },
    spec: { nodeName: "n", containers: [{ name: "a" }, { name: "b" }] },
  });
  const nodes = { addressTypes: NODE_ADDRESS_TYPES, allowLocalAddresses: false };
  const plane = { store, clock, table, admission, authorizer: alwaysAllow, nodes };
  const request = {
    plane,
    served: table.find("", "v1", "pods"),
    namespace: "default",
    name: "web",
    subresource: "exec",
    query: Query.parse(query),
    asked: { method: "POST", path: "/", want: "bytes" },
    user: { username: "someone" },
    warnings: [],
  };
  return nodeAnswer(request as unknown as ResourceRequest, "POST")!;
}

test("admission sees what a command is run with, and its changes count", async () => {
  const seen: unknown[] = [];
  const answer = await exec("container=a&command=ls&command=-l&stdout=1", {
    name: "Other",
    resources: ["pods"],
    mutate(change, { kind, subresource, name }) {
      seen.push([change.operation, kind, subresource, name, structuredClone(change.object)]);
      (change.object as unknown as PodExecOptions).container = "b";
    },
  });
  const options = {
    kind: "PodExecOptions",
    apiVersion: "v1",
    stdout: true,
    container: "a",
    command: ["ls", "-l"],
  };
  const kind = { group: "", version: "v1", kind: "PodExecOptions" };
  expect(seen).toEqual([["CONNECT", kind, "exec", "web", options]]);
  expect(answer.payload).toMatchObject({
    kind: "passage",
    to: {
      host: "10.0.0.1",
      port: 10250,
      target: "/exec/default/web/b?command=ls&command=-l&output=1",
    },
  });
});

test("what admission refuses goes nowhere", async () => {
  const refused = exec("container=a&command=ls", {
    name: "No",
    validate() {
      throw ApiError.forbidden({ group: "", resource: "pods" }, "web", "not today");
    },
  });
  await expect(refused).rejects.toThrow('pods "web" is forbidden: not today');
});
