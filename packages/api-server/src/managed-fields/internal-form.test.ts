import type { KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const AUTOSCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const scaleTargetRef = { kind: "Deployment", name: "d", apiVersion: "apps/v1" };

test.each([
  [{ currentMetrics: [], conditions: [] }, { "f:currentMetrics": {} }],
  [
    { currentMetrics: [], desiredReplicas: 2 },
    { "f:currentMetrics": {}, "f:desiredReplicas": {} },
  ],
  [{ currentMetrics: null }, undefined],
  [{ conditions: [] }, undefined],
])(
  "who sends the status %j owns %j, although an empty list is kept as none",
  async (...[status, owned]) => {
    await using server = await createApiServer({ store: openMemoryStore() });
    const send = async (method: "POST" | "PATCH", path: string, value: object) => {
      const answer = await server.door.send({
        method,
        path,
        user: { username: "admin", groups: ["system:masters"] },
        headers: { "content-type": `application/${method === "PATCH" ? "merge-patch+" : ""}json` },
        body: { kind: "value", value },
        want: "object",
      });
      return (answer as { object: KubernetesObject }).object;
    };
    await send("POST", AUTOSCALERS, {
      metadata: { name: "a" },
      spec: { scaleTargetRef, maxReplicas: 3 },
    });
    const made = await send("PATCH", `${AUTOSCALERS}/a/status`, { status });
    expect(made).toMatchObject({ status: { currentMetrics: null } });
    const entry = made.metadata?.managedFields?.find(({ subresource }) => subresource === "status");
    expect(entry?.fieldsV1).toEqual(owned && { "f:status": owned });
  },
);
