/** Versions of one kind, values, errors, discovery (semantics 59, 61, 62, E20, E33). */
import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { refusalIn } from "../requests.ts";
import { pod, sample } from "./samples.ts";

const involvedObject = { kind: "Pod", namespace: "default", name: "p" };

export function representationSuite(open: OpenPlane): void {
  test("59: an Event is one object in two groups", async () => {
    const { requests } = await openFor(open);
    const listed = await requests.get("events.events.k8s.io");
    const { resourceVersion } = listed.metadata;
    const watch = await requests.watch("events.events.k8s.io", { resourceVersion });
    const core = await requests.create("events", {
      metadata: { name: "a" },
      involvedObject,
      reason: "Tested",
      message: "it was tested",
      type: "Normal",
    });
    const other = await requests.get("events.events.k8s.io/a");
    expect(other).toMatchObject({
      kind: "Event",
      apiVersion: "events.k8s.io/v1",
      regarding: involvedObject,
      note: "it was tested",
    });
    expect(other.metadata).toEqual(core.metadata);
    expect(await watch.next()).toEqual({ type: "ADDED", object: other });
    const made = await requests.create("events.events.k8s.io", {
      metadata: { name: "b" },
      eventTime: "2020-05-06T07:08:09.123456Z",
      reportingController: "example.com/judge",
      reportingInstance: "judge-1",
      action: "Testing",
      reason: "Tested",
      type: "Normal",
      regarding: involvedObject,
    });
    const seen = await requests.get("events/b");
    expect(seen.metadata).toEqual(made.metadata);
    expect(seen).toMatchObject({
      apiVersion: "v1",
      involvedObject,
      eventTime: "2020-05-06T07:08:09.123456Z",
    });
    expect(await requests.names("events", { fieldSelector: "involvedObject.name=p" })).toEqual([
      "a",
      "b",
    ]);
    const query = { fieldSelector: "regarding.name=p" };
    expect(await requests.names("events.events.k8s.io", query)).toEqual(["a", "b"]);
  });

  test("59: an autoscaler is one object in two versions", async () => {
    const { requests } = await openFor(open);
    const v1 = await requests.create("horizontalpodautoscalers.v1.autoscaling", {
      metadata: { name: "a" },
      spec: {
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
        targetCPUUtilizationPercentage: 70,
      },
    });
    const place = "horizontalpodautoscalers.v2.autoscaling";
    const v2 = await requests.get(`${place}/a`);
    expect(v2.apiVersion).toBe("autoscaling/v2");
    expect(v2.metadata).toEqual(v1.metadata);
    expect(v2.spec["metrics"]).toEqual([
      {
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } },
      },
    ]);
    const { resourceVersion } = v1.metadata;
    const watch = await requests.watch("horizontalpodautoscalers.v1.autoscaling", {
      resourceVersion,
    });
    await requests.merge(`${place}/a`, { spec: { minReplicas: 2 } });
    expect(await watch.next()).toEqual({
      type: "MODIFIED",
      object: await requests.get("horizontalpodautoscalers.v1.autoscaling/a"),
    });
  });

  test("61: quantities come back in their canonical form", async () => {
    const { requests } = await openFor(open);
    const resources = {
      requests: { cpu: "1000m", memory: "1024Mi" },
      limits: { cpu: "2.50", memory: "1.5Gi", "ephemeral-storage": "1e3" },
    };
    const body = pod("a", { containers: [{ name: "c", image: "i", resources }] });
    const made = await requests.create("pods", body);
    const [container] = made.spec["containers"] as JsonObject[];
    expect(container?.["resources"]).toEqual({
      requests: { cpu: "1", memory: "1Gi", "ephemeral-storage": "1e3" },
      limits: { cpu: "2500m", memory: "1536Mi", "ephemeral-storage": "1e3" },
    });
  });

  test("61: times have seconds, MicroTimes six places, and null is accepted", async () => {
    const { requests } = await openFor(open);
    const made = await requests.create("leases", {
      metadata: { name: "a", creationTimestamp: null },
      spec: {
        acquireTime: "2020-01-02T03:04:05.500000Z",
        renewTime: "2020-01-02T05:04:05.123456+02:00",
      },
    });
    expect(made.spec).toEqual({
      acquireTime: "2020-01-02T03:04:05.500000Z",
      renewTime: "2020-01-02T03:04:05.123456Z",
    });
    expect(made.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    await requests.create("jobs", sample("jobs", "a"));
    const started = await requests.merge("jobs/a/status", {
      status: { startTime: "2020-01-02T03:04:05.999+01:00" },
    });
    expect(started.status["startTime"]).toBe("2020-01-02T02:04:05Z");
  });

  test("61: what is empty and what is absent are told apart as Go does", async () => {
    const { requests } = await openFor(open);
    const made = await requests.map("a", {
      metadata: { labels: {}, annotations: null, finalizers: [] },
      data: {},
      binaryData: null,
    });
    expect(Object.keys(made).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
    expect(made.metadata).not.toHaveProperty("labels");
    expect(made.metadata).not.toHaveProperty("finalizers");
    const policy = await requests.create("networkpolicies", {
      metadata: { name: "a" },
      spec: { podSelector: {}, ingress: [], policyTypes: ["Ingress"] },
    });
    expect(policy.spec).toEqual({ podSelector: {}, policyTypes: ["Ingress"] });
    const wide = await requests.create("networkpolicies", {
      metadata: { name: "b" },
      spec: { podSelector: {}, ingress: [{}] },
    });
    expect(wide.spec).toMatchObject({ ingress: [{}] });
    // The status of an empty deployment is shown, its spec's defaults are too.
    const deployment = await requests.create("deployments", sample("deployments", "a"));
    expect(deployment.status).toEqual({});
  });

  test("61: keys that languages find special are plain data", async () => {
    const { requests } = await openFor(open);
    const data = JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}') as JsonObject;
    const body = `{"metadata":{"name":"a","labels":{"constructor":"x"}},"data":${JSON.stringify(data)}}`;
    const made = await requests.call("POST", "configmaps", { body });
    expect(made.status).toBe(201);
    const shown = await requests.get("configmaps/a");
    expect(new Map(Object.entries(shown.data))).toEqual(new Map(Object.entries(data)));
    expect(await requests.names("configmaps", { labelSelector: "constructor=x" })).toEqual(["a"]);
    expect(await requests.names("configmaps", { labelSelector: "toString" })).toEqual([]);
  });

  test("62: every refusal has the reason that clients act on", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const missing = await requests.call("GET", "configmaps/none");
    expect(refusalIn(missing)).toEqual({
      code: 404,
      reason: "NotFound",
      message: 'configmaps "none" not found',
      details: { name: "none", kind: "configmaps" },
    });
    const grouped = await requests.call("GET", "deployments/none");
    expect(refusalIn(grouped)).toEqual({
      code: 404,
      reason: "NotFound",
      message: 'deployments.apps "none" not found',
      details: { name: "none", group: "apps", kind: "deployments" },
    });
    const body = { metadata: { name: "Bad_" } };
    const rule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;
    expect(refusalIn(await requests.call("POST", "configmaps", { body }))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `ConfigMap "Bad_" is invalid: metadata.name: Invalid value: "Bad_": ${rule}`,
      details: {
        name: "Bad_",
        kind: "ConfigMap",
        causes: [
          {
            reason: "FieldValueInvalid",
            message: `Invalid value: "Bad_": ${rule}`,
            field: "metadata.name",
          },
        ],
      },
    });
    expect(refusalIn(await requests.call("PATCH", "configmaps", { body: {} }))).toEqual({
      code: 405,
      reason: "MethodNotAllowed",
      message: "the server does not allow this method on the requested resource",
      details: {},
    });
    const accept = { headers: { accept: "application/xml" } };
    expect(refusalIn(await requests.call("GET", "configmaps/a", accept))).toMatchObject({
      code: 406,
      reason: "NotAcceptable",
      message:
        "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    });
    const type = { headers: { "content-type": "text/plain" }, body: "x" };
    expect(refusalIn(await requests.call("POST", "configmaps", type))).toMatchObject({
      code: 415,
      reason: "UnsupportedMediaType",
      message:
        "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    });
    expect(refusalIn(await requests.call("POST", "configmaps", { body: "{" }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message:
        "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({)",
    });
    expect(refusalIn(await requests.call("GET", "/api/v1/nothings"))).toEqual({
      code: 404,
      reason: "NotFound",
      message: "the server could not find the requested resource",
      details: {},
    });
    const nowhere = await requests.call("GET", "/apis/none.example.com/v1");
    expect([nowhere.status, nowhere.text]).toEqual([404, "404 page not found\n"]);
  });

  test("E20: groups, versions and resources can be discovered", async () => {
    const { requests } = await openFor(open);
    const core = (await requests.get("/api")) as unknown as JsonObject;
    expect(core).toMatchObject({ kind: "APIVersions", versions: ["v1"] });
    const groups = (await requests.get("/apis")) as unknown as {
      kind: string;
      groups: JsonObject[];
    };
    expect(groups.kind).toBe("APIGroupList");
    expect(groups.groups.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["apps", "batch", "autoscaling", "events.k8s.io", "policy"]),
    );
    const list = (await requests.get("/apis/apps/v1")) as unknown as { resources: JsonObject[] };
    expect(list).toMatchObject({
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: "apps/v1",
    });
    expect(list.resources.find(({ name }) => name === "deployments")).toMatchObject({
      singularName: "deployment",
      namespaced: true,
      kind: "Deployment",
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      shortNames: ["deploy"],
      categories: ["all"],
    });
    expect(list.resources.find(({ name }) => name === "deployments/scale")).toMatchObject({
      group: "autoscaling",
      version: "v1",
      kind: "Scale",
    });
  });

  test("E20: health endpoints and the version answer", async () => {
    const { requests } = await openFor(open);
    for (const path of ["/healthz", "/livez", "/readyz", "/livez/ping"]) {
      const answer = await requests.call("GET", path);
      expect([path, answer.status, answer.text]).toEqual([path, 200, "ok"]);
      expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    }
    const verbose = await requests.call("GET", "/readyz", { query: { verbose: "" } });
    expect(verbose.text).toMatch(/^\[\+\]ping ok\n[^]*readyz check passed\n$/);
    const { text } = await requests.call("GET", "/version");
    expect(JSON.parse(text)).toMatchObject({ major: "1", minor: "36" });
  });

  test("E33: a text is no integer, and an integer no text", async () => {
    const { requests } = await openFor(open);
    const refused = async (body: JsonObject, problem: string): Promise<void> => {
      expect(refusalIn(await requests.call("POST", "deployments", { body }))).toEqual({
        code: 400,
        reason: "BadRequest",
        message: `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal ${problem}`,
      });
    };
    const { spec, ...deployment } = sample("deployments", "a");
    const withSpec = (more: JsonObject) => ({
      ...deployment,
      spec: { ...(spec as JsonObject), ...more },
    });
    const replicas = "into Go struct field DeploymentSpec.spec.replicas of type int32";
    await refused(withSpec({ replicas: "3" }), `string ${replicas}`);
    await refused(withSpec({ replicas: 1.5 }), `number 1.5 ${replicas}`);
    await refused(withSpec({ replicas: 99999999999 }), `number 99999999999 ${replicas}`);
    await refused(
      withSpec({ paused: "true" }),
      "string into Go struct field DeploymentSpec.spec.paused of type bool",
    );
    await refused(
      { ...deployment, spec: spec as JsonObject, metadata: { name: "a", labels: { n: 1 } } },
      "number into Go struct field ObjectMeta.metadata.labels of type string",
    );
    const patch = await requests.create("deployments", sample("deployments", "b")).then(() =>
      requests.call("PATCH", "deployments/b", {
        body: { spec: { replicas: "3" } },
        headers: { "content-type": "application/strategic-merge-patch+json" },
      }),
    );
    expect(refusalIn(patch)).toMatchObject({
      code: 422,
      reason: "Invalid",
      message:
        ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:3]]": unrecognized type: int32',
    });
  });
}
