/**
 * `__proto__`, `constructor` and their like are legal keys of maps: they are kept as data on every way
 * in and shown on every way out, and they change nothing for anybody else.
 */
import { beforeAll, expect, test } from "vitest";
import { defineKinds } from "./attack-objects.ts";
import { attackedServer } from "./server-under-attack.ts";

const server = attackedServer();
const MAPS = "/api/v1/namespaces/default/configmaps";
const GROUP = "proto.example.com";
const BAGS = `/apis/${GROUP}/v1/namespaces/default/bags`;
const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "__defineGetter__",
];
/** What is legal as the key of a label and an annotation: it begins with a letter. */
const LABELS = [
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "x.io/constructor",
];

beforeAll(async () => {
  const text = { type: "string" };
  const spec = {
    type: "object",
    properties: {
      map: {
        type: "object",
        additionalProperties: text,
        "x-kubernetes-validations": [
          { rule: "!('forbidden' in self)", message: "forbidden" },
          { rule: "!('constructor' in self) || self['constructor'] == 'data'" },
          { rule: "self.all(key, size(self[key]) < 100)" },
        ],
      },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      constructor: text,
      toString: { type: "integer", default: 7 },
    },
  };
  await defineKinds(server(), GROUP, [{ plural: "bags", kind: "Bag", scope: "Namespaced", spec }]);
});

/** JSON text of an object whose keys are written out, so that none of them can be magic here. */
function written(entries: readonly (readonly [string, unknown])[]): string {
  const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${members.join(",")}}`;
}

const data = (value: string): string => written(NAMES.map((name) => [name, value]));
const labels = (value: string): string => written(LABELS.map((name) => [name, value]));

/** Every key that was sent has this value, read by own keys. */
function expectKeys(map: unknown, keys: readonly string[], value: unknown): void {
  const own = new Map(Object.entries(map as object));
  expect([...own.keys()].sort()).toEqual([...keys].sort());
  for (const key of keys) expect([key, own.get(key)]).toEqual([key, value]);
}

interface Map1 {
  readonly metadata: { labels?: object; annotations?: object; managedFields?: object[] };
  readonly data?: object;
}

const read = async (path: string): Promise<Map1> =>
  JSON.parse((await server().expect(200, { path })).text) as Map1;

test("keys survive creation, reading, lists, watches and every patch", async () => {
  await server().during(async () => {
    const path = `${MAPS}/keys`;
    const body = `{"metadata":{"name":"keys","labels":${labels("a")},"annotations":${labels("a")}},"data":${data("a")}}`;
    await server().expect(201, { method: "POST", path: MAPS, body });
    const check = async (value: string): Promise<void> => {
      const listed = await server().expect(200, { path: `${MAPS}?labelSelector=constructor%3Da` });
      const [first] = (JSON.parse(listed.text) as { items: Map1[] }).items;
      for (const shown of [await read(path), first!]) {
        expectKeys(shown.data, NAMES, value);
        expectKeys(shown.metadata.labels, LABELS, "a");
        expectKeys(shown.metadata.annotations, LABELS, "a");
      }
    };
    await check("a");
    const patch = (kind: string, patched: string): Promise<unknown> =>
      server().expect(200, { method: "PATCH", path, type: `application/${kind}`, body: patched });
    await patch("merge-patch+json", `{"data":${data("b")}}`);
    await check("b");
    await patch("strategic-merge-patch+json", `{"data":${data("c")}}`);
    await check("c");
    const operations = NAMES.map((name) => ({ op: "replace", path: `/data/${name}`, value: "d" }));
    await patch("json-patch+json", JSON.stringify(operations));
    await check("d");
    const moves = NAMES.flatMap((name) => [
      { op: "test", path: `/data/${name}`, value: "d" },
      { op: "move", from: `/data/${name}`, path: `/data/moved-${name}` },
      { op: "copy", from: `/data/moved-${name}`, path: `/data/${name}` },
      { op: "remove", path: `/data/moved-${name}` },
    ]);
    await patch("json-patch+json", JSON.stringify(moves));
    await check("d");
    const applied = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"keys"},"data":${data("e")}}`;
    await server().expect(200, {
      method: "PATCH",
      path: `${path}?fieldManager=hostile&force=true`,
      type: "application/apply-patch+yaml",
      body: applied,
    });
    await check("e");
    const { text } = await server().expect(200, { path });
    for (const name of NAMES) expect(text).toContain(`"f:${name}":{}`);
    const watch = `${MAPS}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dkeys`;
    const line = (await server().expect(200, { path: watch })).text.split("\n", 1)[0]!;
    expectKeys((JSON.parse(line) as { object: Map1 }).object.data, NAMES, "e");
    // What a manager no longer applies goes, under these names too.
    await server().expect(200, {
      method: "PATCH",
      path: `${path}?fieldManager=hostile&force=true`,
      type: "application/apply-patch+yaml",
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"keys"},"data":{}}`,
    });
    expect((await read(path)).data ?? {}).toEqual({});
  });
});

test("YAML bodies and YAML answers keep them too", async () => {
  await server().during(async () => {
    const lines = NAMES.map((name) => `  ${name}: a\n`).join("");
    const body = `metadata: {name: yaml}\ndata:\n${lines}`;
    await server().expect(201, { method: "POST", path: MAPS, type: "application/yaml", body });
    expectKeys((await read(`${MAPS}/yaml`)).data, NAMES, "a");
    const accept = { accept: "application/yaml" };
    const { text } = await server().expect(200, { path: `${MAPS}/yaml`, headers: accept });
    for (const name of NAMES) expect(text).toMatch(new RegExp(`^  "?${name}"?: a$`, "m"));
  });
});

test("a prototype in a body is an unknown field, and nobody's prototype", async () => {
  await server().during(async () => {
    const hidden =
      '"__proto__":{"polluted":"yes","data":{"polluted":"yes"}},"constructor":{"prototype":{"polluted":"yes"}}';
    const body = `{"metadata":{"name":"hidden",${hidden}},${hidden}}`;
    const { message } = await server().expect(400, {
      method: "POST",
      path: `${MAPS}?fieldValidation=Strict`,
      body,
    });
    expect(message).toContain('unknown field "__proto__"');
    await server().expect(201, { method: "POST", path: MAPS, body });
    for (const kind of ["merge", "strategic-merge"]) {
      const type = `application/${kind}-patch+json`;
      const path = `${MAPS}/hidden`;
      await server().expect(200, { method: "PATCH", path, type, body: `{${hidden}}` });
    }
    const walks = [
      "/__proto__/polluted",
      "/metadata/__proto__/polluted",
      "/constructor/prototype/polluted",
      "/data/__proto__/polluted",
    ];
    for (const path of walks) {
      const { status } = await server().send({
        method: "PATCH",
        path: `${MAPS}/hidden`,
        type: "application/json-patch+json",
        body: [{ op: "add", path, value: "yes" }],
      });
      expect([path, status]).toEqual([path, 422]);
    }
    await server().expect(201, {
      method: "POST",
      path: MAPS,
      body: { metadata: { name: "innocent" } },
    });
    for (const name of ["hidden", "innocent"]) {
      const { text } = await server().expect(200, { path: `${MAPS}/${name}` });
      expect(text).not.toContain("polluted");
    }
  });
});

test("custom resources keep them in maps, in free fields, and as fields with defaults", async () => {
  await server().during(async () => {
    const map = written(NAMES.map((name) => [name, "data"]));
    const free = written(NAMES.map((name) => [name, { deep: { __proto__: null, list: [name] } }]));
    const apiVersion = `"apiVersion":"${GROUP}/v1","kind":"Bag"`;
    const body = `{${apiVersion},"metadata":{"name":"bag"},"spec":{"map":${map},"free":${free},"constructor":"c"}}`;
    await server().expect(201, { method: "POST", path: BAGS, body });
    const { text } = await server().expect(200, { path: `${BAGS}/bag` });
    const { spec } = JSON.parse(text) as { spec: { map: object; free: object } };
    expectKeys(spec.map, NAMES, "data");
    expect(Object.entries(spec.free)).toHaveLength(NAMES.length);
    expect(text).toContain('"constructor":"c"');
    expect(text).toContain('"toString":7');
    // The rules of the map see the keys as keys.
    for (const [map2, status] of [
      ['{"forbidden":"x"}', 422],
      ['{"constructor":"other"}', 422],
      [`{"__proto__":"${"x".repeat(100)}"}`, 422],
      ['{"toString":"x"}', 201],
    ] as const) {
      const tried = `{${apiVersion},"metadata":{"generateName":"bag-"},"spec":{"map":${map2}}}`;
      await server().expect(status, { method: "POST", path: BAGS, body: tried });
    }
    await server().expect(200, {
      method: "PATCH",
      path: `${BAGS}/bag`,
      type: "application/merge-patch+json",
      body: `{"spec":{"free":{"__proto__":{"more":1},"constructor":null}}}`,
    });
    const changed = (await server().expect(200, { path: `${BAGS}/bag` })).text;
    const left = (JSON.parse(changed) as { spec: { free: object } }).spec.free;
    expect(new Map(Object.entries(left)).get("__proto__")).toMatchObject({ more: 1, deep: {} });
    expect(Object.keys(left)).not.toContain("constructor");
  });
});

test.each([
  ["constructor", 0],
  ["!constructor", 1],
  ["toString in (a,b)", 0],
  ["toString notin (a)", 1],
  ["hasOwnProperty=", 0],
  ["valueOf!=x", 1],
])("the selector %s finds %i object that has no labels", async (selector, count) => {
  const path = "/api/v1/namespaces/bystander/secrets";
  await server().during(async () => {
    const query = `?labelSelector=${encodeURIComponent(selector)}`;
    const { text } = await server().expect(200, { path: path + query });
    expect((JSON.parse(text) as { items: [] }).items).toHaveLength(count);
  });
});

test("queries and headers of these names are nothing special", async () => {
  await server().during(async () => {
    const query = "__proto__=1&constructor=2&toString=3&__proto__[limit]=1&limit=5";
    await server().expect(200, { path: `${MAPS}?${query}` });
    const headers = { __proto__: "x", constructor: "y", "impersonate-extra-__proto__": "z" };
    // Extras without a user are nobody's.
    const { status } = await server().send({ path: MAPS, headers: { ...headers } });
    expect([200, 400, 403, 500]).toContain(status);
    await server().expect(200, {
      path: MAPS,
      headers: {
        "impersonate-user": "__proto__",
        "impersonate-group": "system:masters",
        "impersonate-extra-constructor": "1",
      },
    });
  });
});
