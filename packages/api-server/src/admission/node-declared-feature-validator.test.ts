import type { Node } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { openPlane, PODS, pod } from "./fixtures/asked-plane.ts";

const FEATURE = "InPlacePodLevelResourcesVerticalScaling";
const whole = (cpu: string): object => ({ resources: { requests: { cpu }, limits: { cpu } } });

test("a pod is resized as a whole only where its node says that it can", async () => {
  await using plane = await openPlane();
  const node = (await plane.ask("POST", "/api/v1/nodes", { metadata: { name: "n" } })) as Node;
  const allocatable = { cpu: "4", memory: "1Gi" };
  await plane.ask("PUT", "/api/v1/nodes/n/status", { ...node, status: { allocatable } });
  await plane.ask("POST", PODS, pod("a", { nodeName: "n", ...whole("1") }));
  expect(await plane.ask("PATCH", `${PODS}/a/resize`, { spec: whole("2") })).toMatchObject({
    code: 403,
    message: `pods "a" is forbidden: pod update requires features ${FEATURE} which are not available on node "n"`,
  });
  const able = (await plane.ask("GET", "/api/v1/nodes/n")) as Node;
  const status = { allocatable, declaredFeatures: [FEATURE] };
  await plane.ask("PUT", "/api/v1/nodes/n/status", { ...able, status });
  const resized = await plane.ask("PATCH", `${PODS}/a/resize`, { spec: whole("2") });
  expect(resized).toMatchObject({ spec: whole("2") });
});
