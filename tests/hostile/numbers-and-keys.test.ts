/** What JavaScript does to numbers, texts and keys, and what a Kubernetes API must not. */
import { beforeAll, expect, test } from "vitest";
import { defineKinds } from "./attack-objects.ts";
import { attackedServer } from "./server-under-attack.ts";

const server = attackedServer();
const GROUP = "numbers.example.com";
const SUMS = `/apis/${GROUP}/v1/namespaces/default/sums`;
const MAPS = "/api/v1/namespaces/default/configmaps";

beforeAll(async () => {
  const spec = {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    properties: {
      long: { type: "integer", format: "int64" },
      int: { type: "integer", format: "int32" },
      real: { type: "number" },
    },
  };
  await defineKinds(server(), GROUP, [{ plural: "sums", kind: "Sum", scope: "Namespaced", spec }]);
});

let count = 0;
function sum(field: string, value: string): { name: string; body: string } {
  const name = `sum-${count++}`;
  const head = `"apiVersion":"${GROUP}/v1","kind":"Sum","metadata":{"name":"${name}"}`;
  return { name, body: `{${head},"spec":{"${field}":${value}}}` };
}

test.each([
  ["long", "9223372036854775807"],
  ["long", "-9223372036854775808"],
  ["long", "9007199254740993"],
  ["free", "9007199254740993"],
  ["free", "[9007199254740993,[-9007199254740993]]"],
])("%s: %s is kept to the last digit through every write", async (field, value) => {
  await server().during(async () => {
    const { name, body } = sum(field, value);
    const path = `${SUMS}/${name}`;
    await server().expect(201, { method: "POST", path: SUMS, body });
    const shown = `"${field}":${value}`;
    const { text } = await server().expect(200, { path });
    expect(text).toContain(shown);
    await server().expect(200, { method: "PUT", path, body: text });
    await server().expect(200, {
      method: "PATCH",
      path,
      type: "application/merge-patch+json",
      body: `{"spec":{"other":${value}}}`,
    });
    await server().expect(200, {
      method: "PATCH",
      path,
      type: "application/json-patch+json",
      body: `[{"op":"test","path":"/spec/${field}","value":${value}},{"op":"copy","from":"/spec/${field}","path":"/spec/copied"}]`,
    });
    await server().expect(200, {
      method: "PATCH",
      path: `${path}?fieldManager=h&force=true`,
      type: "application/apply-patch+yaml",
      body: body.replace(`"${field}"`, `"applied":${value},"${field}"`),
    });
    const after = (await server().expect(200, { path })).text;
    for (const key of [field, "other", "copied", "applied"]) {
      expect(after).toContain(`"${key}":${value}`);
    }
  });
});

test.each([
  ["long", "9223372036854775808"],
  ["long", "1e400"],
  ["long", "1.5"],
  ["int", "2147483648"],
  ["int", '"1"'],
  ["real", "1e400"],
  ["real", "NaN"],
  ["real", "Infinity"],
  ["real", "0x10"],
  ["real", "01"],
  ["real", "1."],
  ["real", ".5"],
  ["real", "+1"],
  ["real", "--1"],
  ["real", "1e"],
  ["free", "1e999999999"],
])("%s: %s is refused", async (field, value) => {
  await server().during(async () => {
    const { body } = sum(field, value);
    const { status } = await server().send({ method: "POST", path: SUMS, body });
    expect([400, 422]).toContain(status);
  });
});

test("numbers of 100,000 digits and exponents cost nothing", async () => {
  await server().during(async () => {
    const digits = "9".repeat(100_000);
    for (const value of [
      digits,
      `0.${digits}`,
      `1e-${digits}`,
      `-${digits}e5`,
      `[${"1,".repeat(100_000)}1]`,
    ]) {
      const { body } = sum("free", value);
      const { status } = await server().send({ method: "POST", path: SUMS, body });
      expect([201, 400, 413, 422]).toContain(status);
    }
  });
});

test("zero keeps neither its sign nor a fraction, as in Go", async () => {
  await server().during(async () => {
    const { name, body } = sum("long", "-0");
    await server().expect(201, { method: "POST", path: SUMS, body });
    expect((await server().expect(200, { path: `${SUMS}/${name}` })).text).toContain('"long":0');
  });
});

test("keys that come twice are refused where asked, told otherwise, and the last one counts", async () => {
  await server().during(async () => {
    const twice = (name: string): string =>
      `{"metadata":{"name":"${name}"},"data":{"a":"first","a":"second"}}`;
    const post = { method: "POST", body: twice("twice") };
    const { message } = await server().expect(400, {
      ...post,
      path: `${MAPS}?fieldValidation=Strict`,
    });
    expect(message).toContain('duplicate field "data.a"');
    const told = await server().expect(201, { ...post, path: `${MAPS}?fieldValidation=Warn` });
    expect(String(told.headers["warning"])).toContain("duplicate field");
    expect(told.text).toContain('"a":"second"');
    // The name that is authorized and admitted is the name that is stored.
    const names = '{"metadata":{"name":"one","name":"two"}}';
    const made = await server().expect(201, { method: "POST", path: MAPS, body: names });
    expect(made.text).toContain('"name":"two"');
    await server().expect(404, { path: `${MAPS}/one` });
    const kinds = '{"kind":"Secret","kind":"ConfigMap","metadata":{"name":"kinds"}}';
    await server().expect(201, { method: "POST", path: MAPS, body: kinds });
  });
});

test("lone surrogates, NUL and broken UTF-8 become text that everybody can read", async () => {
  await server().during(async () => {
    const body = String.raw`{"metadata":{"name":"texts"},"data":{"a":"\ud800","b":"\udc00x","c":"\u0000"}}`;
    await server().expect(201, { method: "POST", path: MAPS, body });
    const { text } = await server().expect(200, { path: `${MAPS}/texts` });
    const { data } = JSON.parse(text) as { data: Record<string, string> };
    expect(data).toEqual({ a: "\ufffd", b: "\ufffdx", c: "\u0000" });
    const bytes = Buffer.concat([
      Buffer.from('{"metadata":{"name":"bytes"},"data":{"a":"'),
      Buffer.of(0xff, 0xc0, 0xaf, 0xed, 0xa0, 0x80),
      Buffer.from('"}}'),
    ]);
    const { status } = await server().send({ method: "POST", path: MAPS, body: bytes });
    expect([201, 400]).toContain(status);
    const listed = await server().expect(200, { path: MAPS });
    expect(listed.text).not.toContain("\ud800");
  });
});

test.each([
  ["limit=99999999999999999999", 400],
  ["limit=1e3", 400],
  ["limit=-1", 200],
  ["timeoutSeconds=NaN", 400],
  ["resourceVersion=-1", 400],
  ["resourceVersion=1e3", 400],
  ["resourceVersion=0x1", 400],
  ["resourceVersion=99999999999999999999999", 400],
  ["resourceVersionMatch=constructor", 422],
  ["watch=maybe", 200],
  ["limit=5&limit=6", 200],
  ["continue=%00", 400],
])("a list with %s is answered %i", async (query, status) => {
  await server().during(async () => {
    const watch = query === "watch=maybe";
    // What cannot be read as a bool is true.
    if (watch) await server().expect(status, { path: `${MAPS}?${query}&timeoutSeconds=1` });
    else await server().expect(status, { path: `${MAPS}?${query}` });
  });
  expect(server().isAlive).toBe(true);
});

test.each(["9223372036854775808", "-9223372036854775809", "1.5", "x", "1e3"])(
  "gracePeriodSeconds=%s is refused and deletes nothing",
  async (seconds) => {
    await server().during(async () => {
      const path = "/api/v1/namespaces/bystander/secrets/canary";
      await server().expect(400, {
        method: "DELETE",
        path: `${path}?gracePeriodSeconds=${seconds}`,
      });
      const body = `{"gracePeriodSeconds":${seconds === "x" ? '"x"' : seconds.replace("1e3", "1e400")}}`;
      await server().expect(400, { method: "DELETE", path, body });
    });
    expect(server().isAlive).toBe(true);
  },
);
