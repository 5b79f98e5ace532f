import type { DoorAnswer, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, createApiServer } from "../../api-server.ts";

const user = { username: "admin", groups: ["system:masters"] };

interface Asked {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly message: string | undefined;
}

async function send(
  server: ApiServer,
  [method, path]: readonly ["POST" | "PUT", string],
  value: unknown,
): Promise<Asked> {
  const body = { kind: "value", value } as const;
  const answer: DoorAnswer = await server.door.send({ method, path, body, user, want: "object" });
  const { object } = answer as { object: KubernetesObject & { message?: string } };
  const warnings = [answer.headers["warning"] ?? []].flat();
  return { status: answer.status, warnings, message: object.message };
}

function namespace(labels: Record<string, string>): KubernetesObject {
  const prefixed = Object.entries(labels).map(([key, value]) => [
    `pod-security.kubernetes.io/${key}`,
    value,
  ]);
  return { metadata: { name: "n", labels: Object.fromEntries(prefixed) } };
}

const POD = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
const PODS = ["POST", "/api/v1/namespaces/n/pods"] as const;
const NAMESPACES = ["POST", "/api/v1/namespaces"] as const;

async function open(labels: Record<string, string>): Promise<ApiServer> {
  const server = await createApiServer({ store: openMemoryStore() });
  expect(await send(server, NAMESPACES, namespace(labels))).toMatchObject({ status: 201 });
  return server;
}

test("a pod that a namespace's level forbids is refused with everything that is wrong", async () => {
  await using server = await open({ enforce: "restricted" });
  expect(await send(server, PODS, POD)).toEqual({
    status: 403,
    warnings: [],
    message:
      'pods "p" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  });
});

test("an older version of a level asks less", async () => {
  await using server = await open({ enforce: "restricted", "enforce-version": "v1.7" });
  const { message } = await send(server, PODS, POD);
  expect(message).toBe(
    'pods "p" is forbidden: violates PodSecurity "restricted:v1.7": runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
  );
});

test("workloads are warned of, with the level that refuses pods where none is given", async () => {
  await using server = await open({ enforce: "baseline" });
  const template = {
    metadata: { labels: { a: "b" } },
    spec: { ...POD.spec, hostNetwork: true, volumes: [{ name: "v", hostPath: { path: "/" } }] },
  };
  const answer = await send(server, ["POST", "/apis/apps/v1/namespaces/n/deployments"], {
    metadata: { name: "d" },
    spec: { selector: { matchLabels: { a: "b" } }, template },
  });
  expect(answer).toMatchObject({
    status: 201,
    warnings: [
      '299 - "would violate PodSecurity \\"baseline:latest\\": host namespaces (hostNetwork=true), hostPath volumes (volume \\"v\\")"',
    ],
  });
});

test("labels that say nothing are refused", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  const answer = await send(server, NAMESPACES, namespace({ enforce: "x", "warn-version": "1" }));
  expect(answer).toMatchObject({
    status: 422,
    message:
      'Namespace "n" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1": must be "latest" or "v1.x"]',
  });
});

test("a stricter level tells what is there already", async () => {
  await using server = await open({});
  for (const name of ["b", "a", "c"]) await send(server, PODS, { ...POD, metadata: { name } });
  const answer = await send(
    server,
    ["PUT", "/api/v1/namespaces/n"],
    namespace({ enforce: "restricted" }),
  );
  expect(answer.warnings).toEqual([
    '299 - "existing pods in namespace \\"n\\" violate the new PodSecurity enforce level \\"restricted:latest\\""',
    '299 - "a (and 2 other pods): allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile"',
  ]);
});

test("every verdict is counted", async () => {
  await using server = await open({
    enforce: "baseline",
    warn: "restricted",
    audit: "restricted",
    "audit-version": "v1.99",
  });
  await send(server, PODS, POD);
  await send(server, PODS, { ...POD, spec: { ...POD.spec, hostNetwork: true } });
  const answer = await server.door.send({ method: "GET", path: "/metrics", user, want: "bytes" });
  const text = Buffer.from((answer as { bytes: Uint8Array }).bytes).toString();
  const of = 'request_operation="create",resource="pod",subresource=""';
  const counted = text.split("\n").filter((line) => /^pod_security_e\w+\{.*\} [1-9]/.test(line));
  expect(counted.sort()).toEqual([
    `pod_security_evaluations_total{decision="allow",mode="enforce",policy_level="baseline",policy_version="latest",${of}} 1`,
    `pod_security_evaluations_total{decision="deny",mode="audit",policy_level="restricted",policy_version="future",${of}} 2`,
    `pod_security_evaluations_total{decision="deny",mode="enforce",policy_level="baseline",policy_version="latest",${of}} 1`,
    `pod_security_evaluations_total{decision="deny",mode="warn",policy_level="restricted",policy_version="latest",${of}} 1`,
  ]);
  expect(text).toContain(`pod_security_exemptions_total{${of}} 0`);
});
