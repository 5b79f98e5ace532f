/** Patches, dry runs and field validation (semantics 28-31). */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { patchType, type Requests, refusalIn, versionOf } from "../requests.ts";
import { sample } from "./samples.ts";

/** A deployment with two containers. */
async function twoContainers(requests: Requests): Promise<void> {
  const containers = [
    { name: "one", image: "one:1", ports: [{ containerPort: 80 }], args: ["a", "b"] },
    { name: "two", image: "two:1" },
  ];
  const template = { metadata: { labels: { app: "a" } }, spec: { containers } };
  const selector = { matchLabels: { app: "a" } };
  await requests.create("deployments", { metadata: { name: "d" }, spec: { selector, template } });
}

async function containersAfter(requests: Requests, podSpec: JsonObject): Promise<JsonObject[]> {
  const patched = await requests.strategic("deployments/d", {
    spec: { template: { spec: podSpec } },
  });
  const template = patched.spec["template"] as { spec: { containers: JsonObject[] } };
  return template.spec.containers;
}

export function patchesSuite(open: OpenPlane): void {
  test("28: JSON, merge and strategic patches change an object", async () => {
    const { requests } = await openFor(open);
    await requests.map("a", { data: { x: "1", y: "2" } });
    const operations = [
      { op: "test", path: "/data/x", value: "1" },
      { op: "replace", path: "/data/x", value: "one" },
      { op: "add", path: "/data/z", value: "3" },
      { op: "remove", path: "/data/y" },
      { op: "copy", from: "/data/x", path: "/data/w" },
      { op: "move", from: "/data/z", path: "/data/v" },
    ];
    const patched = await requests.jsonPatch("configmaps/a", operations);
    expect(patched.status).toBe(200);
    expect(patched.object.data).toEqual({ x: "one", w: "one", v: "3" });
    const merged = await requests.merge("configmaps/a", { data: { w: null, u: "4" } });
    expect(merged.data).toEqual({ x: "one", v: "3", u: "4" });
    const strategic = await requests.strategic("configmaps/a", { data: { v: null, t: "5" } });
    expect(strategic.data).toEqual({ x: "one", u: "4", t: "5" });
  });

  test("28: a JSON patch whose test or path fails changes nothing", async () => {
    const { requests } = await openFor(open);
    const made = await requests.map("a", { data: { x: "1" } });
    const failing: readonly JsonValue[] = [
      [{ op: "test", path: "/data/x", value: "2" }],
      [{ op: "remove", path: "/data/none" }],
      [{ op: "frobnicate", path: "/data/x" }],
      [
        { op: "add", path: "/data/y", value: "2" },
        { op: "replace", path: "/none/at", value: 1 },
      ],
    ];
    for (const body of failing) {
      expect(refusalIn(await requests.jsonPatch("configmaps/a", body))).toEqual({
        code: 422,
        reason: "Invalid",
        message: "the server rejected our request due to an error in our request",
        details: {},
      });
    }
    expect(await requests.get("configmaps/a")).toEqual(made);
  });

  test("28: a patch of an unknown type is 415", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    for (const type of ["application/json", "text/plain", "application/x-patch"]) {
      const options = { body: {}, headers: { "content-type": type } };
      expect(refusalIn(await requests.call("PATCH", "configmaps/a", options))).toEqual({
        code: 415,
        reason: "UnsupportedMediaType",
        message: "415: Unsupported Media Type",
        details: {},
      });
    }
  });

  test("28: a patch that leaves no such object is refused", async () => {
    const { requests } = await openFor(open);
    const made = await requests.map("a", { data: { x: "1" } });
    const broken: readonly (readonly ["json" | "merge" | "strategic-merge", string, string])[] = [
      ["json", "{", "error decoding patch: unexpected end of JSON input"],
      ["merge", "{", "error decoding patch: unexpected end of JSON input"],
      ["strategic-merge", "{", "unexpected end of JSON input"],
      [
        "json",
        "{}",
        "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
      ],
      [
        "merge",
        "[]",
        "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
      ],
    ];
    for (const [kind, body, message] of broken) {
      const answer = await requests.call("PATCH", "configmaps/a", {
        body,
        headers: patchType(kind),
      });
      expect(refusalIn(answer)).toEqual({ code: 400, reason: "BadRequest", message });
    }
    const number = { body: { data: { x: 1 } }, headers: patchType("merge") };
    const refused = await requests.call("PATCH", "configmaps/a", number);
    expect([refused.status, refused.object.reason]).toEqual([422, "Invalid"]);
    expect(refused.object.message).toMatch(
      /json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
    );
    expect(await requests.get("configmaps/a")).toEqual(made);
  });

  test("29: lists with a key are merged by it, others are replaced", async () => {
    const { requests } = await openFor(open);
    await twoContainers(requests);
    const containers = await containersAfter(requests, {
      containers: [
        { name: "two", image: "two:2" },
        { name: "three", image: "three:1" },
        {
          name: "one",
          args: ["c"],
          ports: [{ containerPort: 80, protocol: "UDP" }, { containerPort: 443 }],
        },
      ],
    });
    expect(containers.map(({ name, image }) => [name, image])).toEqual([
      ["two", "two:2"],
      ["three", "three:1"],
      ["one", "one:1"],
    ]);
    expect(containers[2]).toMatchObject({
      args: ["c"],
      // The key is the port alone: the first is changed, not added.
      ports: [
        { containerPort: 80, protocol: "UDP" },
        { containerPort: 443, protocol: "TCP" },
      ],
    });
  });

  test("29: directives delete, replace, order and retain", async () => {
    const { requests } = await openFor(open);
    await twoContainers(requests);
    const names = async (podSpec: JsonObject): Promise<JsonValue[]> =>
      (await containersAfter(requests, podSpec)).map(({ name }) => name!);
    expect(await names({ containers: [{ name: "three", image: "three:1" }] })).toEqual([
      "three",
      "one",
      "two",
    ]);
    expect(await names({ containers: [{ name: "three", $patch: "delete" }] })).toEqual([
      "one",
      "two",
    ]);
    expect(
      await names({ "$setElementOrder/containers": [{ name: "two" }, { name: "one" }] }),
    ).toEqual(["two", "one"]);
    expect(
      await names({ containers: [{ name: "solo", image: "solo:1" }, { $patch: "replace" }] }),
    ).toEqual(["solo"]);
    const rolled = await requests.get("deployments/d");
    expect(rolled.spec["strategy"]).toMatchObject({ type: "RollingUpdate" });
    const recreate = { $retainKeys: ["type"], type: "Recreate" };
    const patched = await requests.strategic("deployments/d", { spec: { strategy: recreate } });
    expect(patched.spec["strategy"]).toEqual({ type: "Recreate" });
    await requests.map("a", { metadata: { finalizers: ["example.com/x", "example.com/y"] } });
    const fewer = await requests.strategic("configmaps/a", {
      metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/x"] },
    });
    expect(fewer.metadata.finalizers).toEqual(["example.com/y"]);
  });

  test("29: a directive that makes no sense is refused", async () => {
    const { requests } = await openFor(open);
    await twoContainers(requests);
    const refused = async (containers: JsonValue, message: string): Promise<void> => {
      const body = { spec: { template: { spec: { containers } } } };
      const options = { body, headers: patchType("strategic-merge") };
      expect(refusalIn(await requests.call("PATCH", "deployments/d", options))).toEqual({
        code: 500,
        message,
      });
    };
    await refused(
      [{ name: "one", $patch: "frobnicate" }],
      "unknown patch type: frobnicate in map: map[$patch:frobnicate name:one]",
    );
    await refused(
      [{ image: "noname:1" }],
      "map: map[image:noname:1] does not contain declared merge key: name",
    );
  });

  test("30: a dry run does everything but keep it", async () => {
    const { requests } = await openFor(open);
    const dryRun = { dryRun: "All" };
    const before = await requests.get("configmaps");
    const watch = await requests.watch("configmaps", {
      resourceVersion: before.metadata.resourceVersion,
    });
    const shown = await requests.call("POST", "configmaps", {
      query: dryRun,
      body: { metadata: { generateName: "g-" } },
    });
    expect(shown.status).toBe(201);
    expect(shown.object.metadata.name).toMatch(/^g-.{5}$/);
    expect(shown.object.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(shown.object.metadata.resourceVersion).toBeUndefined();
    const defaulted = await requests.create("deployments", sample("deployments", "d"), dryRun);
    expect(defaulted.spec["revisionHistoryLimit"]).toBe(10);
    expect(versionOf(await requests.get("configmaps"))).toBe(versionOf(before));

    const made = await requests.map("a");
    const changed = await requests.merge("configmaps/a", { data: { k: "1" } }, dryRun);
    expect(changed).toEqual({ ...made, data: { k: "1" } });
    const updated = await requests.update("configmaps/a", { ...made, data: { k: "2" } }, dryRun);
    expect(updated.data).toEqual({ k: "2" });
    const deleted = await requests.delete("configmaps/a", undefined, dryRun);
    expect(deleted.status).toBe("Success");
    await requests.delete("configmaps", undefined, dryRun);
    expect(await requests.get("configmaps/a")).toEqual(made);
    await requests.map("end");
    expect(await watch.changes(2)).toEqual(["ADDED a", "ADDED end"]);
  });

  test("30: a dry run is refused as the write would be", async () => {
    const { requests } = await openFor(open);
    const query = { dryRun: "All" };
    const made = await requests.map("a");
    await requests.merge("configmaps/a", { data: { k: "1" } });
    const exists = await requests.call("POST", "configmaps", {
      query,
      body: { metadata: { name: "a" } },
    });
    expect([exists.status, exists.object.reason]).toEqual([409, "AlreadyExists"]);
    const stale = await requests.call("PUT", "configmaps/a", { query, body: made });
    expect([stale.status, stale.object.reason]).toEqual([409, "Conflict"]);
    const bad = await requests.call("POST", "configmaps", {
      query,
      body: { metadata: { name: "Bad_" } },
    });
    expect([bad.status, bad.object.reason]).toEqual([422, "Invalid"]);
    const values = { query: { dryRun: "Server" }, body: { metadata: { name: "b" } } };
    expect(refusalIn(await requests.call("POST", "configmaps", values))).toMatchObject({
      code: 422,
      reason: "Invalid",
      message:
        'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Server"]: supported values: "All"',
    });
  });

  test("30: a dry run of a service takes no address", async () => {
    const { requests } = await openFor(open);
    const body = {
      metadata: { name: "s" },
      spec: { ports: [{ port: 80 }], clusterIP: "10.0.0.77" },
    };
    for (let round = 0; round < 2; round++) {
      await requests.create("services", body, { dryRun: "All" });
    }
    expect((await requests.create("services", body)).spec["clusterIP"]).toBe("10.0.0.77");
  });

  test("31: unknown and duplicate fields are warned of, refused or let be", async () => {
    const { requests } = await openFor(open);
    const text = (name: string): string =>
      `{"metadata":{"name":"${name}","nope":1,"labels":{"a":"1","a":"2"}},"data":{"k":"1","k":"2"},"other":{}}`;
    const problems = [
      'unknown field "metadata.nope"',
      'duplicate field "metadata.labels.a"',
      'duplicate field "data.k"',
      'unknown field "other"',
    ];
    const post = (name: string, query: Record<string, string>) =>
      requests.call("POST", "configmaps", { query, body: text(name) });
    expect(refusalIn(await post("strict", { fieldValidation: "Strict" }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${problems.join(", ")}`,
    });
    for (const query of [{}, { fieldValidation: "Warn" }]) {
      const warned = await post(`warned${Object.keys(query).length}`, query);
      expect(warned.status).toBe(201);
      expect(warned.warnings).toEqual(problems);
      // The last of two counts, and what is not known is not kept.
      expect(warned.object.data).toEqual({ k: "2" });
      expect(warned.object.metadata.labels).toEqual({ a: "2" });
      expect(warned.object).not.toHaveProperty("other");
      expect(warned.object.metadata).not.toHaveProperty("nope");
    }
    const ignored = await post("ignored", { fieldValidation: "Ignore" });
    expect([ignored.status, ignored.warnings]).toEqual([201, []]);
    expect((await requests.call("GET", "configmaps/strict")).status).toBe(404);
    expect(refusalIn(await post("x", { fieldValidation: "strict" }))).toMatchObject({
      code: 422,
      reason: "Invalid",
      message:
        'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
    });
  });

  test("31: updates and patches are validated the same way", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const query = { fieldValidation: "Strict" };
    const body = '{"metadata":{"name":"a"},"data":{"k":"1","k":"2"},"x":1}';
    expect(refusalIn(await requests.call("PUT", "configmaps/a", { query, body }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.k", unknown field "x"',
    });
    const strategic = { query, body: '{"x":1}', headers: patchType("strategic-merge") };
    expect(refusalIn(await requests.call("PATCH", "configmaps/a", strategic))).toMatchObject({
      code: 422,
      reason: "Invalid",
      message:
        ' "" is invalid: patch: Invalid value: "map[x:1]": strict decoding error: unknown field "x"',
    });
    const merge = { body: '{"data":{"k":"1","k":"2"},"x":1}', headers: patchType("merge") };
    const warned = await requests.call("PATCH", "configmaps/a", merge);
    expect(warned.warnings).toEqual(['duplicate field "data.k"', 'unknown field "x"']);
    expect(warned.object.data).toEqual({ k: "2" });
  });
}
