import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeJson } from "./decode-json.ts";
import { encodeJson, encodeJsonBytes } from "./encode-json.ts";
import { equalJson } from "./equal-json.ts";
import { JsonEncodeError } from "./json-error.ts";
import { printJson } from "./json-printer.ts";

/** Any JSON value, with the keys and numbers that go wrong elsewhere. */
function anyJson(): fc.Arbitrary<unknown> {
  const key = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("__proto__", "constructor", "toString", "toJSON", "a.b", "0", ""),
  );
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, false, -0, 5e-324, 1e21, 2 ** 53, Number.MAX_VALUE),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.string({ unit: "binary" }),
      fc.array(tie("value")),
      fc.array(fc.tuple(key, tie("value"))).map((entries) => Object.fromEntries(entries)),
    ),
  })).value;
}

function errorOf(value: unknown): JsonEncodeError {
  try {
    encodeJson(value);
  } catch (error) {
    if (error instanceof JsonEncodeError) return error;
  }
  throw new Error("expected a JsonEncodeError");
}

test("whatever is written reads the same again, int64 and every key included", () => {
  fc.assert(
    fc.property(anyJson(), (value) => {
      expect(equalJson(decodeJson(encodeJson(value)), value)).toBe(true);
      expect(equalJson(decodeJson(encodeJsonBytes(value)), value)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("without bigints the text is that of JSON.stringify, on the exact way too", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(encodeJson(value)).toBe(JSON.stringify(value));
      expect(printJson(value)).toBe(JSON.stringify(value));
    }),
  );
});

test("what is no data is treated as JSON.stringify treats it, with and without bigints", () => {
  class Instant {
    toJSON(key: string): string {
      return `instant ${key}`;
    }
  }
  const value = {
    a: undefined,
    f: () => 1,
    s: Symbol("s"),
    at: new Instant(),
    list: [new Instant()],
  };
  const expected = '{"at":"instant at","list":["instant 0"]}';
  expect(encodeJson(value)).toBe(expected);
  expect(encodeJson({ ...value, n: 1n })).toBe(`${expected.slice(0, -1)},"n":1}`);
});

test("the edges of int64 are written exactly", () => {
  const edges = [2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 53n) - 1n, 0n];
  expect(encodeJson({ edges })).toBe(`{"edges":[${edges.join(",")}]}`);
});

test("toJSON and __proto__ are keys like any other", () => {
  const text = '{"toJSON":"no function","__proto__":{"a":1},"n":9007199254740993}';
  expect(encodeJson(decodeJson(text))).toBe(text);
});

test("a number that is not finite is refused with its path", () => {
  expect(errorOf({ spec: [{ a: 1 }, { ratio: Number.NaN }] })).toMatchObject({
    code: "json-unsupported-value",
    message: "json: unsupported value: NaN at spec[1].ratio",
    reason: "json: unsupported value: NaN",
    path: "spec[1].ratio",
  });
  expect(errorOf([Infinity]).reason).toBe("json: unsupported value: +Inf");
  expect(errorOf({ a: null, b: 1n, c: -Infinity }).message).toBe(
    "json: unsupported value: -Inf at c",
  );
  expect(errorOf(Number.NaN).message).toBe("json: unsupported value: NaN");
});

test("no null hides a number that is not finite", () => {
  const keys = fc.constantFrom(
    "lastTransitionTime",
    "lastProbe",
    "creation",
    "xlastProbeTime",
    "a",
    "null",
  );
  const unset = fc.constantFrom(
    { creationTimestamp: null },
    { lastProbeTime: null },
    { a: null },
    "null",
  );
  const bad = fc.constantFrom(Number.NaN, Infinity, -Infinity);
  fc.assert(
    fc.property(fc.array(unset), keys, bad, (before, key, number) => {
      expect(() => encodeJson([...before, { [key]: number }])).toThrow(JsonEncodeError);
      expect(() => encodeJson([...before, number])).toThrow(JsonEncodeError);
    }),
  );
});

test("unset times and other nulls are written", () => {
  const value = {
    metadata: { creationTimestamp: null },
    conditions: [{ lastProbeTime: null, message: null }],
    annotation: '{"creationTimestamp":null,"x":null}',
    list: [null, "null"],
  };
  expect(encodeJson(value)).toBe(JSON.stringify(value));
});

test("undefined in a list, or alone, is refused", () => {
  expect(errorOf({ a: [1, undefined] }).message).toBe("json: unsupported value: undefined at a[1]");
  expect(errorOf(undefined).message).toBe("json: unsupported value: undefined");
  expect(errorOf(() => 1).message).toBe("json: unsupported value: function");
});

test("a value that contains itself is refused at the place where it comes round", () => {
  const object: Record<string, unknown> = { name: "a" };
  object["list"] = [1, { again: object }];
  expect(errorOf(object).message).toBe(
    "json: unsupported value: encountered a cycle via map[string]interface {} at list[1].again",
  );
});

test("a value that is held twice but does not contain itself is written twice", () => {
  const shared = { n: 1n };
  expect(encodeJson([shared, shared])).toBe('[{"n":1},{"n":1}]');
});

test("depth costs no stack", () => {
  for (const levels of [10_000, 100_000]) {
    let plain: unknown = 1;
    let exact: unknown = 1n;
    for (let level = 0; level < levels; level++) {
      plain = [plain];
      exact = { a: exact };
    }
    expect(encodeJson(plain)).toBe(`${"[".repeat(levels)}1${"]".repeat(levels)}`);
    expect(encodeJson(exact)).toBe(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
  }
});

test("half a surrogate pair is written as an escape that any reader accepts", () => {
  expect(encodeJson(["\ud800", 1n])).toBe('["\\ud800",1]');
  expect(new TextDecoder().decode(encodeJsonBytes(["\ud800"]))).toBe('["\\ud800"]');
});
