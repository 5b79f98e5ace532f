/**
 * What kube-apiserver 1.36.3 said of requests that hit several rules at once, and of changes of
 * objects it held (`fixtures/`; admission plugins off), replayed in their order on a server.
 * One wrong field at a time is the matter of `tests/conformance/validation`.
 */

import { readFileSync } from "node:fs";
import type { DoorRequest, JsonObject, Status } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { DEFAULT_ADMISSION_PLUGINS } from "../../admission/plugins.ts";
import { type ApiServer, createApiServer } from "../../api-server.ts";

interface RecordedStep {
  readonly method: DoorRequest["method"];
  readonly path: string;
  readonly body?: JsonObject;
  /** `field: message` of each cause; absent for what is accepted. */
  readonly refused?: readonly string[];
  readonly warnings?: readonly string[];
}

const NAMESPACE: RecordedStep = {
  method: "POST",
  path: "/api/v1/namespaces",
  body: { metadata: { name: "rules" } },
};

function read(topic: string): readonly RecordedStep[] {
  const file = new URL(`fixtures/${topic}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as readonly RecordedStep[];
}

async function replay(server: ApiServer, step: RecordedStep): Promise<Partial<RecordedStep>> {
  const [path = "", query = ""] = step.path.split("?");
  const form = step.method === "PATCH" ? "merge-patch+json" : "json";
  const answer = await server.door.send({
    method: step.method,
    path,
    query: query === "" ? {} : { dryRun: "All" },
    headers: { "content-type": `application/${form}` },
    ...(step.body !== undefined && { body: { kind: "value", value: step.body } }),
    user: { username: "admin", groups: ["system:masters"] },
    want: "object",
  });
  if (answer.kind !== "object") throw new Error(`an object was wanted, got ${answer.kind}`);
  const warnings = [answer.headers["warning"] ?? []].flat();
  const { details } = answer.object as unknown as Status;
  return {
    ...(answer.status >= 300 && {
      refused: (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`),
    }),
    ...(warnings.length > 0 && { warnings }),
  };
}

test.each([
  "access",
  "certificates",
  "cluster",
  "events",
  "flow-control",
  "job-states",
  "jobs",
  "limits",
  "networking",
  "reviews",
  "services",
  "workloads",
])("what is asked about %s is refused as kube-apiserver refuses it", async (topic) => {
  await using server = await createApiServer({
    store: openMemoryStore(),
    admission: { disabled: DEFAULT_ADMISSION_PLUGINS },
  });
  await replay(server, NAMESPACE);
  const differing: unknown[] = [];
  for (const step of read(topic)) {
    const { method: _, path: __, body: ___, ...expected } = step;
    const got = await replay(server, step);
    if (JSON.stringify(got) !== JSON.stringify(expected)) differing.push({ step, got });
  }
  expect(differing).toEqual([]);
});
