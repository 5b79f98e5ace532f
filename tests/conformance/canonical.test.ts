import { realClock } from "@homeostat/concurrency";
import { instantOfMilliseconds, type JsonValue, printTime } from "@homeostat/object-model";
import { array, assert, integer, nat, property, record } from "fast-check";
import { expect, test } from "vitest";
import { canonicalize } from "./canonical.ts";
import type { RecordedStep } from "./recording.ts";

const uidA = "0f8fad5b-d9cb-469f-a165-70867728950e";
const uidB = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

function answer(
  body: JsonValue,
  more: { asked?: string; said?: string; id?: string } = {},
): RecordedStep {
  const { asked = "GET /x", said = "", id = "1" } = more;
  return { id, kind: "answer", asked, said, status: 200, headers: {}, body };
}

function bodies(steps: RecordedStep[], sent = ""): (JsonValue | undefined)[] {
  return canonicalize({ steps, sent, namespace: "ns-1", unordered: false }).map(
    (step) => step.answer["body"],
  );
}

const object = (resourceVersion: string, uid = uidA): JsonValue => ({
  metadata: { uid, resourceVersion },
});

test("versions of objects become ranks, those of lists the rank they have reached", () => {
  const steps = [
    answer(object("105")),
    answer(object("98", uidB)),
    answer({ metadata: { resourceVersion: "107" }, items: [] }),
    answer({ metadata: { resourceVersion: "100" }, items: [] }),
  ];
  expect(bodies(steps)).toEqual([
    { metadata: { uid: "uid1", resourceVersion: "rv2" } },
    { metadata: { uid: "uid2", resourceVersion: "rv1" } },
    { metadata: { resourceVersion: "rv2+" }, items: [] },
    { metadata: { resourceVersion: "rv1+" }, items: [] },
  ]);
});

test("a list of exactly the version that was asked for says so", () => {
  const list: JsonValue = { metadata: { resourceVersion: "105" }, items: [] };
  const exact = { asked: "GET /x?resourceVersion=105&resourceVersionMatch=Exact" };
  expect(bodies([answer(object("105")), answer(list, exact)])[1]).toEqual({
    metadata: { resourceVersion: "rv1" },
    items: [],
  });
});

test("what the scenario itself sent stays: uids, addresses, ports, versions", () => {
  const body: JsonValue = {
    a: uidA,
    ip: "10.0.0.77",
    nodePort: 30_100,
    metadata: { resourceVersion: "5" },
  };
  const sent = JSON.stringify(body);
  expect(bodies([answer(body, { said: sent })], sent)).toEqual([body]);
  expect(bodies([answer(body)])).toEqual([
    { a: "uid1", ip: "{ip1}", nodePort: "{port1}", metadata: { resourceVersion: "rv0+" } },
  ]);
});

test("a version is not taken for a number that was sent as something else", () => {
  const list: JsonValue = { metadata: { resourceVersion: "500" }, items: [] };
  const sent = JSON.stringify({ query: { resourceVersion: "", limit: "500" }, n: "105" });
  expect(bodies([answer(object("105")), answer(list)], sent)).toEqual([
    { metadata: { uid: "uid1", resourceVersion: "rv1" } },
    { metadata: { resourceVersion: "rv1+" }, items: [] },
  ]);
  for (const version of [
    { resourceVersion: "500" },
    '{"resourceVersion":"500"}',
    "resourceVersion: 500",
    { path: "/metadata/resourceVersion", value: "500" },
  ]) {
    expect(bodies([answer(list)], JSON.stringify(version))).toEqual([list]);
  }
});

test("generated names are known by the prefix that was sent, also in messages", () => {
  const sent = '{"metadata":{"generateName":"gen-"}}';
  const steps = [answer({ name: "gen-x7k2p" }), answer({ message: '"gen-x7k2p" and "gen-bbbbb"' })];
  expect(bodies(steps, sent)).toEqual([
    { name: "gen-{1}" },
    { message: '"gen-{1}" and "gen-{2}"' },
  ]);
});

test("times near now become their form, others stay", () => {
  const now = printTime(instantOfMilliseconds(realClock.now()))!;
  const body = { now, micro: now.replace("Z", ".123456Z"), old: "2001-02-03T04:05:06Z" };
  expect(bodies([answer(body)])).toEqual([
    { now: "{time}", micro: "{time.6}", old: "2001-02-03T04:05:06Z" },
  ]);
});

test("ages in tables that grow with every run are left out, durations stay", () => {
  const cells = (...texts: string[]): JsonValue => ({ rows: [{ cells: texts }] });
  expect(bodies([answer(cells("5s", "6y3d", "3 (7y ago)", "5m30s", "2h", "x 5s"))])).toEqual([
    cells("{age}", "{age}", "3 ({age} ago)", "5m30s", "2h", "x 5s"),
  ]);
});

test("in a column of ages no age is told, however old the server is", () => {
  const table = (duration: string, age: string): JsonValue => ({
    kind: "Table",
    columnDefinitions: [{ name: "Duration" }, { name: "Age" }],
    rows: [{ cells: [duration, age], object: null }],
  });
  expect(bodies([answer(table("2m50s", "2m50s")), answer(table("5m", "<unknown>"))])).toEqual([
    table("2m50s", "{age}"),
    table("5m", "<unknown>"),
  ]);
});

test("entries of managed fields stand by operation and manager; special keys are kept", () => {
  const text =
    '{"metadata":{"managedFields":[{"manager":"b"},{"manager":"a"}]},"__proto__":{"a":"ns-1"}}';
  const [body] = bodies([answer(JSON.parse(text) as JsonValue)]);
  expect(JSON.stringify(body)).toBe(
    '{"metadata":{"managedFields":[{"manager":"a"},{"manager":"b"}]},"__proto__":{"a":"{ns}"}}',
  );
});

test("renaming uids and moving versions up changes nothing in the canonical form", () => {
  const history = array(record({ uid: nat(4), version: integer({ min: 1, max: 40 }) }));
  assert(
    property(history, integer({ min: 1, max: 1000 }), (entries, by) => {
      const steps = (move: number, uid: (n: number) => string): RecordedStep[] =>
        entries.map((each) => answer(object(String(each.version * move), uid(each.uid))));
      const plain = steps(1, (n) => `${uidA.slice(0, -1)}${n}`);
      const other = steps(by, (n) => `${uidB.slice(0, -1)}${n}`);
      expect(bodies(other)).toEqual(bodies(plain));
    }),
  );
});

test("causes that kube-apiserver tells in any order are put in one", () => {
  const cause = (field: string): JsonValue => ({ reason: "FieldManagerConflict", field });
  const conflict = (...fields: string[]): JsonValue => ({
    reason: "Conflict",
    details: { causes: fields.map(cause) },
  });
  expect(bodies([answer(conflict(".b", ".a"))])).toEqual([conflict(".a", ".b")]);
});

test("of what does not fit a type, lines are put in order and chance is left out", () => {
  const told = (why: string): JsonValue => ({
    message: `failed to create typed patch object (/a; v1, Kind=Pod): ${why}`,
  });
  const lines = told("errors:\n  .b: expected map\n  .a: expected string");
  expect(bodies([answer(lines)])).toEqual([
    told("errors:\n  .a: expected string\n  .b: expected map"),
  ]);
  const unknown = ".c: field not declared in schema";
  const [alone, among] = bodies([
    answer(told(unknown)),
    answer(told(`errors:\n  ${unknown}\n  .a: x`)),
  ]);
  expect(among).toEqual(alone);
});
