/** What cannot be changed in built-in kinds, and what their defaults show (semantics 58 and 60). */
import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { causesIn } from "../definition.ts";
import { type OpenPlane, openFor } from "../open-for.ts";
import { patchType, type Requests, refusalIn } from "../requests.ts";

const labels = { app: "a" };
const pod = (more: JsonObject = {}): JsonObject => ({
  containers: [{ name: "c", image: "i" }],
  ...more,
});
const template = (more: JsonObject = {}): JsonObject => ({ metadata: { labels }, spec: pod(more) });

async function refusals(
  requests: Requests,
  place: string,
  body: JsonObject,
): Promise<readonly string[]> {
  const answer = await requests.call("PATCH", place, { body, headers: patchType("merge") });
  expect(refusalIn(answer)).toMatchObject({ code: 422, reason: "Invalid" });
  return causesIn(answer);
}

export function builtInRulesSuite(open: OpenPlane): void {
  test.for([
    ["deployments", {}],
    ["replicasets", {}],
    ["daemonsets", {}],
    ["statefulsets", { serviceName: "s" }],
  ] as const)("58: the selector of %s stays", async ([place, more]) => {
    const { requests } = await openFor(open);
    const spec = { selector: { matchLabels: labels }, template: template(), ...more };
    await requests.create(place, { metadata: { name: "a" }, spec });
    const both = { app: "b" };
    const change = {
      spec: { selector: { matchLabels: both }, template: { metadata: { labels: both } } },
    };
    const found = await refusals(requests, `${place}/a`, change);
    expect(found.join("\n")).toMatch(/immutable|updates to statefulset spec for fields other than/);
  });

  test("58: a job keeps its selector and its template", async () => {
    const { requests } = await openFor(open);
    const spec = { template: { spec: pod({ restartPolicy: "Never" }) } };
    await requests.create("jobs", { metadata: { name: "a" }, spec });
    const change = { spec: { template: { spec: { terminationGracePeriodSeconds: 5 } } } };
    const found = await refusals(requests, "jobs/a", change);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^spec\.template: Invalid value: .*: field is immutable$/s);
  });

  test("58: a service keeps its address, unless it becomes external", async () => {
    const { requests } = await openFor(open);
    const made = await requests.create("services", {
      metadata: { name: "a" },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
    expect(made.spec["clusterIP"]).toMatch(/^10\.0\.0\./);
    const found = await refusals(requests, "services/a", { spec: { clusterIP: "10.0.0.200" } });
    expect(found).toContain(
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.200"]: may not change once set',
    );
    const external = await requests.merge("services/a", {
      spec: {
        type: "ExternalName",
        externalName: "x.example.com",
        clusterIP: "",
        clusterIPs: null,
      },
    });
    expect(external.spec["clusterIP"]).toBeUndefined();
  });

  test("58: of a pod only image, deadline, tolerations and their like may change", async () => {
    const { requests } = await openFor(open);
    await requests.create("pods", { metadata: { name: "a" }, spec: pod() });
    await requests.merge("pods/a", { spec: { containers: [{ name: "c", image: "j" }] } });
    await requests.merge("pods/a", { spec: { activeDeadlineSeconds: 60 } });
    await requests.merge("pods/a", { spec: { tolerations: [{ key: "k", operator: "Exists" }] } });
    const found = await refusals(requests, "pods/a", { spec: { hostNetwork: true } });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`/,
    );
  });

  test("58: what is said to be immutable stays", async () => {
    const { requests } = await openFor(open);
    await requests.map("a", { immutable: true, data: { k: "1" } });
    expect(await refusals(requests, "configmaps/a", { data: { k: "2" } })).toEqual([
      "data: Forbidden: field is immutable when `immutable` is set",
    ]);
    expect(await refusals(requests, "configmaps/a", { immutable: false })).toEqual([
      "immutable: Forbidden: field is immutable when `immutable` is set",
    ]);
    await requests.create("secrets", {
      metadata: { name: "a" },
      immutable: true,
      stringData: { k: "1" },
    });
    expect(await refusals(requests, "secrets/a", { stringData: { k: "2" } })).toEqual([
      "data: Forbidden: field is immutable when `immutable` is set",
    ]);
  });

  test("58: a claim keeps its spec, a binding its role", async () => {
    const { requests } = await openFor(open);
    await requests.create("persistentvolumeclaims", {
      metadata: { name: "a" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
    const [claim] = await refusals(requests, "persistentvolumeclaims/a", {
      spec: { accessModes: ["ReadOnlyMany"] },
    });
    expect(claim).toMatch(/^spec: Forbidden: spec is immutable after creation except/);
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "one" };
    await requests.create("rolebindings", { metadata: { name: "a" }, roleRef, subjects: [] });
    const [binding] = await refusals(requests, "rolebindings/a", { roleRef: { name: "two" } });
    expect(binding).toMatch(/^roleRef: Invalid value: .*: cannot change roleRef$/);
  });

  test("60: defaults are there to be seen", async () => {
    const { requests } = await openFor(open);
    const container = {
      name: "c",
      image: "example.com/i",
      ports: [{ containerPort: 80 }],
      livenessProbe: { httpGet: { port: 80 } },
    };
    const spec = {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    };
    const made = await requests.create("deployments", { metadata: { name: "a" }, spec });
    expect(made.spec).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: {
        type: "RollingUpdate",
        rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" },
      },
      template: {
        spec: {
          restartPolicy: "Always",
          dnsPolicy: "ClusterFirst",
          schedulerName: "default-scheduler",
          terminationGracePeriodSeconds: 30,
          securityContext: {},
          containers: [
            {
              imagePullPolicy: "Always",
              ports: [{ containerPort: 80, protocol: "TCP" }],
              livenessProbe: {
                httpGet: { path: "/", port: 80, scheme: "HTTP" },
                timeoutSeconds: 1,
                periodSeconds: 10,
                successThreshold: 1,
                failureThreshold: 3,
              },
              terminationMessagePath: "/dev/termination-log",
              terminationMessagePolicy: "File",
              resources: {},
            },
          ],
        },
      },
    });
  });

  test("60: stringData is written, never read", async () => {
    const { requests } = await openFor(open);
    const made = await requests.create("secrets", {
      metadata: { name: "a" },
      data: { k: "b2xk", l: "b2xk" },
      stringData: { k: "new" },
    });
    expect(made).toMatchObject({ type: "Opaque", data: { k: "bmV3", l: "b2xk" } });
    expect(made).not.toHaveProperty("stringData");
  });
}
