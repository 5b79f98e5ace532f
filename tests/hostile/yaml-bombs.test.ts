/** Small texts that mean much, deep texts, and texts that only look like data: refused early, and cheap to refuse. */
import { expect, test } from "vitest";
import { attackedServer, type HostileAnswer } from "./server-under-attack.ts";

const server = attackedServer();
const MAPS = "/api/v1/namespaces/default/configmaps";
const HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bomb}\n";

/** Created as YAML, and applied as YAML: the two ways in. */
async function sendYaml(body: string): Promise<readonly HostileAnswer[]> {
  return [
    await server().send({ method: "POST", path: MAPS, type: "application/yaml", body }),
    await server().send({
      method: "PATCH",
      path: `${MAPS}/bomb?fieldManager=hostile&force=true`,
      type: "application/apply-patch+yaml",
      body,
    }),
  ];
}

function laughs(depth: number): string {
  const lines = ["a0: &a0 ['x','x','x','x','x','x','x','x','x']"];
  for (let level = 1; level <= depth; level++) {
    const before = Array.from({ length: 9 }, () => `*a${level - 1}`).join(",");
    lines.push(`a${level}: &a${level} [${before}]`);
  }
  return `${HEAD}${lines.join("\n")}\n`;
}

function merges(depth: number): string {
  const lines = ["m0: &m0 {k: v}"];
  for (let level = 1; level <= depth; level++) {
    lines.push(`m${level}: &m${level} {<<: [*m${level - 1}, *m${level - 1}], k${level}: v}`);
  }
  return `${HEAD}${lines.join("\n")}\n`;
}

test.each([
  ["a billion laughs", laughs(9)],
  ["an alias that holds itself", `${HEAD}data: &d\n  a: *d\n`],
  ["an alias of an alias of a map", `${HEAD}x: &x {a: b}\ny: &y {z: *x}\ndata: *y\n`],
  ["an alias as a key", `${HEAD}x: &x a\ndata: {*x : b}\n`],
  ["quadratic merges", merges(200)],
  ["a merge of a prototype", `${HEAD}x: &x {__proto__: {polluted: yes}}\ndata: {<<: *x}\n`],
  [
    "many aliases of one long text",
    `${HEAD}x: &x ${"y".repeat(100_000)}\nz: [${"*x,".repeat(1000)}*x]\n`,
  ],
])("%s is refused, since no alias is taken", async (_, body) => {
  await server().during(async () => {
    for (const { status, message } of await sendYaml(body)) {
      expect([status, message]).toEqual([400, "aliases are not accepted in YAML bodies"]);
    }
  });
});

test.each([
  ["100,000 open brackets", `${HEAD}data: ${"[".repeat(100_000)}`],
  ["100,000 open braces", `${HEAD}data: ${"{a: ".repeat(100_000)}`],
  ["20,000 nested flows", `${HEAD}data: ${"[".repeat(20_000)}${"]".repeat(20_000)}`],
  ["2,000 levels by indentation", `${HEAD}data:\n${levels(2_000)}`],
  ["20,000 nested dashes", `${HEAD}data:\n  ${"- ".repeat(20_000)}x`],
  ["complex keys in complex keys", `${HEAD}data:\n  ${"? ".repeat(20_000)}x`],
  ["300,000 entries", `${HEAD}data:\n${"  a: b\n".repeat(300_000)}`],
  ["100,000 documents", "---\n".repeat(100_000)],
  ["half a mebibyte of comments", `${HEAD}${"# x\n".repeat(130_000)}[`],
  ["an open quote of 2 MiB", `${HEAD}data: {a: "${"x".repeat(2 ** 21)}`],
  ["a block text with strange indents", `${HEAD}data:\n  a: |9\n${" \n".repeat(100_000)}x`],
  ["more than 3 MiB", `${HEAD}data: {a: ${"x".repeat(3 * 2 ** 20)}}`],
  ["a tag for a function", `${HEAD}data: {a: !!js/function "function () { return process }"}`],
  ["a tag for an undefined value", `${HEAD}data: {a: !!js/undefined ""}`],
  ["a tag for a regular expression", `${HEAD}data: {a: !!js/regexp /(a+)+$/}`],
  ["a tag for a Go struct", `${HEAD}data: {a: !!binary "${"/".repeat(1001)}"}`],
  ["tags of tags", `%TAG ! tag:${"x".repeat(10_000)},2000:\n---\n${HEAD}data: {a: !x 1}`],
  ["a directive bomb", `${"%YAML 1.2\n".repeat(10_000)}---\n${HEAD}`],
  ["NUL and control characters", `${HEAD}data: {a: "\u0000\u0001", \u0002: b}`],
  ["broken UTF-8", "\xff\xfe\x00"],
])("%s costs no more than its own request", async (_, body) => {
  await server().during(async () => {
    for (const { status, text } of await sendYaml(body)) {
      expect([200, 201, 400, 413, 415, 422]).toContain(status);
      expect(text).not.toContain("process.binding");
    }
    await server().send({ method: "DELETE", path: `${MAPS}/bomb` });
  });
});

function levels(count: number): string {
  return Array.from({ length: count }, (_, at) => `${" ".repeat(at + 1)}a:\n`).join("");
}

test("a merge of what is no map is refused", async () => {
  await server().during(async () => {
    for (const { status } of await sendYaml(`${HEAD}data: {<<: 2.5}`)) expect(status).toBe(400);
  });
});

test("150 YAML bodies that are refused leave no memory behind", async () => {
  await server().during(async () => {
    const body = laughs(9);
    const flood = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at += 20) {
        await Promise.all(
          Array.from({ length: 20 }, () =>
            server().expect(400, { method: "POST", path: MAPS, type: "application/yaml", body }),
          ),
        );
      }
    };
    await flood(60);
    const before = server().memory();
    await flood(150);
    // What grows without end grows by more than this; the collector may be late by less.
    expect(server().memory() - before).toBeLessThan(150);
  });
});

test.each(["[", '{"a":', '[{"a":'])("JSON that opens 100,000 %j is refused", async (opening) => {
  await server().during(async () => {
    const value = opening.repeat(100_000);
    await server().expect(400, { method: "POST", path: MAPS, body: value });
    const within = `{"metadata":{"name":"a"},"data":${value}`;
    await server().expect(400, { method: "POST", path: MAPS, body: within });
    for (const kind of ["json", "merge", "strategic-merge"]) {
      const { status } = await server().send({
        method: "PATCH",
        path: "/api/v1/namespaces/bystander/secrets/canary",
        type: `application/${kind}-patch+json`,
        body: value,
      });
      expect([kind, status]).toEqual([kind, 400]);
    }
  });
});
