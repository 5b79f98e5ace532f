import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { KubernetesObject } from "@homeostat/object-model";
import type { FlowSchema } from "@homeostat/object-model/flowcontrol-v1";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const GROUP = "/apis/flowcontrol.apiserver.k8s.io/v1";

const LEVEL = {
  metadata: { name: "mine" },
  spec: {
    type: "Limited",
    limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } },
  },
};
const SCHEMA = {
  metadata: { name: "mine" },
  spec: { priorityLevelConfiguration: { name: "mine" }, matchingPrecedence: 5 },
};

test("a FlowSchema says whether its level exists, whenever that changes", async () => {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const options = { store, clock, random: seededRandom(1) };
  await using server = await clock.runUntil(createApiServer(options));
  const send = async (asked: string, value?: object): Promise<KubernetesObject> => {
    const [method, path] = asked.split(" ") as ["GET" | "POST" | "DELETE", string];
    const answer = await clock.runUntil(
      server.door.send({
        method,
        path: `${GROUP}/${path}`,
        user: MASTER,
        want: "object",
        ...(value && { body: { kind: "value", value } }),
      }),
    );
    await clock.settle();
    return (answer as { object: KubernetesObject }).object;
  };
  const schema = async () => (await send("GET flowschemas/mine")) as FlowSchema;
  await send("POST flowschemas", SCHEMA);
  const dangling = await schema();
  const names = `This FlowSchema references the PriorityLevelConfiguration object named "mine"`;
  const condition = {
    type: "Dangling",
    status: "True",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    reason: "NotFound",
    message: `${names} but there is no such object`,
  };
  expect(dangling.status).toEqual({ conditions: [condition] });
  expect(dangling.metadata.generation).toBe(1);
  expect(dangling.metadata.managedFields).toContainEqual({
    manager: "api-priority-and-fairness-config-consumer-v1",
    operation: "Apply",
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    time: "2026-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:status": {
        "f:conditions": {
          'k:{"type":"Dangling"}': {
            ".": {},
            "f:lastTransitionTime": {},
            "f:message": {},
            "f:reason": {},
            "f:status": {},
            "f:type": {},
          },
        },
      },
    },
    subresource: "status",
  });
  await clock.advance(5_000);
  await send("POST prioritylevelconfigurations", LEVEL);
  const found = {
    ...condition,
    status: "False",
    lastTransitionTime: "2026-01-01T00:00:05Z",
    reason: "Found",
    message: `${names} and it exists`,
  };
  expect((await schema()).status).toEqual({ conditions: [found] });
  const revision = store.revision;
  await send("DELETE prioritylevelconfigurations/mine");
  expect((await schema()).status?.conditions).toMatchObject([{ status: "True" }]);
  expect(store.revision).toBe(revision + 2);
});
