import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type DecodeJsonOptions, decodeJson } from "./decode-json.ts";
import { duplicateFieldMessage } from "./duplicate-fields.ts";
import { encodeJson } from "./encode-json.ts";
import {
  JsonDepthError,
  JsonError,
  JsonNumberError,
  JsonSizeError,
  JsonSyntaxError,
} from "./json-error.ts";
import { JsonParser } from "./json-parser.ts";

function errorOf(
  text: string | Uint8Array,
  options?: Omit<DecodeJsonOptions, "duplicates">,
): JsonError {
  try {
    decodeJson(text, options);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error("expected a JsonError");
}

/** The exact way, also for texts that would not take it. */
function parseExactly(text: string): unknown {
  return new JsonParser(text, { maxDepth: 10_000, duplicates: false }).parse();
}

function duplicatesIn(text: string): readonly string[] {
  return decodeJson(text, { duplicates: "report" }).duplicates;
}

/** Numbers beyond 2^53 left out: they are not read as JSON.parse reads them. */
function ordinaryJson(): fc.Arbitrary<unknown> {
  return fc
    .jsonValue()
    .map((value) =>
      JSON.parse(JSON.stringify(value), (_, member: unknown) =>
        typeof member === "number" && Math.abs(member) > Number.MAX_SAFE_INTEGER ? 0.5 : member,
      ),
    );
}

test("ordinary texts read as JSON.parse reads them, on the exact way too", () => {
  fc.assert(
    fc.property(ordinaryJson(), fc.constantFrom("", " ", "\n\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(decodeJson(text)).toStrictEqual(JSON.parse(text));
      expect(decodeJson(new TextEncoder().encode(text))).toStrictEqual(JSON.parse(text));
      expect(parseExactly(text)).toStrictEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test("an int64 keeps every digit; what is beyond is a float; floats stay numbers", () => {
  const samples: [string, number | bigint][] = [
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["-9007199254740993", -9007199254740993n],
    ["9223372036854775807", 2n ** 63n - 1n],
    ["-9223372036854775808", -(2n ** 63n)],
    ["9223372036854775808", 2 ** 63],
    ["-9223372036854775809", -(2 ** 63)],
    ["18446744073709551615", 2 ** 64],
    ["1".repeat(40), Number("1".repeat(40))],
    ["9007199254740993.0", 9007199254740992],
    ["9007199254740993e0", 9007199254740992],
    ["1e300", 1e300],
    ["1e-400", 0],
    ["1.0", 1],
    ["0", 0],
    ["-0", -0],
    ["-0.0", -0],
  ];
  for (const [text, value] of samples) {
    expect(decodeJson(text)).toBe(value);
    expect(decodeJson(`{"a":[1,${text}]}`)).toStrictEqual({ a: [1, value] });
  }
});

test("minus zero is written as zero", () => {
  expect(encodeJson(decodeJson("[-0,-0.0]"))).toBe("[0,0]");
});

test("a number beyond float64 is refused, but only if the text is JSON otherwise", () => {
  const error = errorOf('{"a":[1e999,-1e999]}');
  expect(error).toBeInstanceOf(JsonNumberError);
  expect(error).toMatchObject({
    code: "json-number-range",
    message: "json: cannot unmarshal number 1e999 into Go value of type float64 (line 1, column 7)",
    position: { offset: 6, line: 1, column: 7 },
  });
  expect(errorOf("1".repeat(400))).toBeInstanceOf(JsonNumberError);
  expect(errorOf("[1e999")).toBeInstanceOf(JsonSyntaxError);
});

test("magic names are plain data", () => {
  const text = '{"__proto__":{"polluted":1},"constructor":"c","toString":"t","n":9007199254740993}';
  const value = decodeJson(text) as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(["__proto__", "constructor", "toString", "n"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect("polluted" in value).toBe(false);
  expect(encodeJson(value)).toBe(text);
});

test("syntax errors say what Go says, and where", () => {
  const samples: [string, string][] = [
    ["", "unexpected end of JSON input"],
    ["  ", "unexpected end of JSON input"],
    ["[1,", "unexpected end of JSON input"],
    ['{"a"', "unexpected end of JSON input"],
    ['"abc', "unexpected end of JSON input"],
    ['"abc\\', "invalid character ' ' in string escape code"],
    ["-", "invalid character ' ' in numeric literal"],
    ["tru", "invalid character ' ' in literal true (expecting 'e')"],
    ["x", "invalid character 'x' looking for beginning of value"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
    ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ["[1 2]", "invalid character '2' after array element"],
    ["{} {}", "invalid character '{' after top-level value"],
    ["01", "invalid character '1' after top-level value"],
    ["-x", "invalid character 'x' in numeric literal"],
    ["1.x", "invalid character 'x' after decimal point in numeric literal"],
    ["1e+x", "invalid character 'x' in exponent of numeric literal"],
    ["nulx", "invalid character 'x' in literal null (expecting 'l')"],
    ["falze", "invalid character 'z' in literal false (expecting 's')"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ["\uFEFF{}", "invalid character 'ï' looking for beginning of value"],
    ["NaN", "invalid character 'N' looking for beginning of value"],
  ];
  for (const [text, reason] of samples) {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(JsonSyntaxError);
    expect(error.reason).toBe(reason);
    expect(errorOf(new TextEncoder().encode(text)).reason).toBe(reason);
  }
  expect(errorOf('{\n  "a": 1,\n  b\n}')).toMatchObject({
    message: "invalid character 'b' looking for beginning of object key string (line 3, column 3)",
    position: { offset: 14, line: 3, column: 3 },
  });
});

test("a text is read exactly if JSON.parse reads it, and the same comes out", () => {
  const token = fc.constantFrom(
    ..."{}[],: \n\u00a0".split(""),
    '"a"',
    '"\\u00e9"',
    '"\\q"',
    '"',
    "1",
    "-0",
    "01",
    "1.",
    "1e1",
    "tru",
    "true",
    "null",
  );
  const outcome = (read: () => unknown): unknown => {
    try {
      return { value: read() };
    } catch (error) {
      return error instanceof SyntaxError || error instanceof JsonSyntaxError ? "refused" : error;
    }
  };
  fc.assert(
    fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
      const text = tokens.join("");
      // Native JSON makes Infinity of a number too large; we refuse it, as Go does.
      fc.pre(!/e\d{3}/.test(text));
      const native = outcome(() => JSON.parse(text) as unknown);
      expect(outcome(() => decodeJson(text))).toStrictEqual(native);
      expect(outcome(() => parseExactly(text))).toStrictEqual(native);
    }),
    { numRuns: 5_000 },
  );
});

test("bytes that are not UTF-8 and halves of surrogate pairs become replacement characters", () => {
  expect(decodeJson(Uint8Array.from([0x22, 0x61, 0xff, 0xe2, 0x82, 0x22]))).toBe(
    "a\uFFFD\uFFFD\uFFFD",
  );
  expect(decodeJson('"\\ud800"')).toBe("\uFFFD");
  expect(decodeJson('{"\\uDC00":"\\ud83d\\uDE00 \\ud83dx"}')).toStrictEqual({
    "\uFFFD": "\u{1F600} \uFFFDx",
  });
  expect(decodeJson('"\ud800"')).toBe("\uFFFD");
  expect(decodeJson('"\\\\ud800"')).toBe("\\ud800");
});

test("keys held twice are reported with their path, once each; the last one wins", () => {
  const text = '{"spec":{"foo":1,"list":[{},{"a":1,"a":2,"a":3}],"foo":2},"x.y":1,"x.y":2}';
  expect(decodeJson(text, { duplicates: "report" })).toEqual({
    value: JSON.parse(text),
    duplicates: ["spec.list[1].a", "spec.foo", "x.y"],
  });
  expect(decodeJson(text)).toEqual(JSON.parse(text));
  expect(duplicatesIn('[{"a":1,"\\u0061":2}]')).toEqual(["[0].a"]);
  expect(duplicatesIn('{"__proto__":1,"__proto__":2}')).toEqual(["__proto__"]);
  expect(duplicateFieldMessage("spec.foo")).toBe('duplicate field "spec.foo"');
});

test("what only looks like a key held twice is not reported", () => {
  for (const text of [
    '{"a":":","b":"\\":","c\\\\":1,"d\\":":{"a" : 1}}',
    '{"toString":1,"constructor":2}',
    '[{"a":1},{"a":1}]',
    '{"a":[":x","a","a"]}',
    '"a\\":"',
    "[]",
  ]) {
    expect(duplicatesIn(text)).toEqual([]);
  }
});

/** Text of a JSON value as a tree of entries, so that keys can be held twice. */
type Tree = string | { readonly list: Tree[] } | { readonly entries: [string, Tree][] };

function printTree(tree: Tree): string {
  if (typeof tree === "string") return tree;
  if ("list" in tree) return `[${tree.list.map(printTree).join(" , ")}]`;
  const members = tree.entries.map(([key, value]) => `${JSON.stringify(key)} :${printTree(value)}`);
  return `{${members.join(",")}}`;
}

/** Naive: what the report should say. Paths come where Go's decoder meets the second key. */
function duplicatesOf(tree: Tree, path: string): string[] {
  if (typeof tree === "string") return [];
  if ("list" in tree) return tree.list.flatMap((item, i) => duplicatesOf(item, `${path}[${i}]`));
  const seen = new Set<string>();
  return tree.entries.flatMap(([key, value]) => {
    const inner = path === "" ? key : `${path}.${key}`;
    const found = seen.has(key) ? [inner] : [];
    seen.add(key);
    return [...found, ...duplicatesOf(value, inner)];
  });
}

test("duplicates are reported exactly where there are some", () => {
  const key = fc.constantFrom("a", "b", "__proto__", "q\\", ':"', "c:");
  const scalar = fc.constantFrom(
    "1",
    '":"',
    '"\\":"',
    "null",
    "9007199254740993",
    '"\\ud800"',
    '"a"',
  );
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      scalar,
      fc.record({ list: fc.array(tie("tree"), { maxLength: 4 }) }),
      fc.record({ entries: fc.array(fc.tuple(key, tie("tree")), { maxLength: 4 }) }),
    ),
  }));
  fc.assert(
    fc.property(tree, (source) => {
      const expected = [...new Set(duplicatesOf(source, ""))].slice(0, 100);
      expect(duplicatesIn(printTree(source))).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

test("at most a hundred duplicates are listed", () => {
  const members = Array.from({ length: 500 }, (_, i) => `"k${i}":1,"k${i}":2`);
  expect(duplicatesIn(`{${members.join(",")}}`)).toHaveLength(100);
});

test("depth is limited, by default as in Go", () => {
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  expect(encodeJson(decodeJson(nested(10_000)))).toBe(nested(10_000));
  expect(errorOf(nested(10_001))).toMatchObject({
    code: "json-too-deep",
    message: "invalid character '[' exceeded max depth of 10000 (line 1, column 10001)",
    reason: "invalid character '[' exceeded max depth",
    limit: 10_000,
  });
  expect(errorOf(`${'{"a":'.repeat(10_001)}1${"}".repeat(10_001)}`)).toBeInstanceOf(JsonDepthError);
  expect(decodeJson("[[]]", { maxDepth: 2 })).toEqual([[]]);
  expect(errorOf("[[1]]", { maxDepth: 1 })).toBeInstanceOf(JsonDepthError);
  expect(decodeJson("1", { maxDepth: 0 })).toBe(1);
  expect(errorOf("[]", { maxDepth: 0 })).toBeInstanceOf(JsonDepthError);
});

test("size is limited in bytes", () => {
  const text = '"é\u{1F600}€"';
  const bytes = new TextEncoder().encode(text);
  expect(bytes).toHaveLength(11);
  for (const input of [text, bytes]) {
    expect(decodeJson(input, { maxBytes: 11 })).toBe("é\u{1F600}€");
    expect(errorOf(input, { maxBytes: 10 })).toMatchObject({
      code: "json-too-large",
      message: "Request entity too large: limit is 10 bytes of JSON, got 11",
      reason: "Request entity too large: limit is 10",
      limit: 10,
    });
  }
  expect(errorOf('"\ud800"', { maxBytes: 4 })).toBeInstanceOf(JsonSizeError);
});

test("hostile texts of megabytes end quickly", () => {
  const size = 1_000_000;
  const prefix = `{"${"k".repeat(50)}":`.repeat(9_000);
  const hostile = [
    "[".repeat(size),
    '{"a":'.repeat(size / 5),
    `${"[".repeat(size)}${"]".repeat(size)}`,
    "1".repeat(size),
    `-${"9".repeat(size)}.${"9".repeat(size)}`,
    `"${"\\".repeat(size + 1)}`,
    `"${"\\ud800".repeat(size / 6)}"`,
    `"${'\\"'.repeat(size / 2)}`,
    `{"a"${" ".repeat(size)}:1,"a"${" ".repeat(size)}:2}`,
    `[${'":",'.repeat(size / 4)}1]`,
    `{${'"a":9007199254740993,'.repeat(size / 20)}"a":1}`,
    `${prefix}{${'"x":1,'.repeat(size / 6)}"x":1}${"}".repeat(9_000)}`,
    `${prefix}[${'{"x":1,"x":2},'.repeat(size / 14)}1]${"}".repeat(9_000)}`,
    `${"\n".repeat(size)}x`,
    " ".repeat(size),
  ];
  const outcomes = hostile.map((text) => {
    try {
      return typeof decodeJson(text, { duplicates: "report" }).value;
    } catch (error) {
      return error instanceof JsonError ? error.code : String(error);
    }
  });
  expect(outcomes).toEqual([
    "json-too-deep",
    "json-too-deep",
    "json-too-deep",
    "json-number-range",
    "json-number-range",
    "json-syntax",
    "string",
    "json-syntax",
    "object",
    "object",
    "object",
    "object",
    "object",
    "json-syntax",
    "json-syntax",
  ]);
}, 20_000);

test("a key that ends in an escape is not taken for another key of an object of the same shape", () => {
  const texts = [
    String.raw`{"a":1,"\\":1}`,
    String.raw`{"a":1,"\"":1}`,
    String.raw`{"a":1,"\n" : 1}`,
  ];
  const keys = texts.map((text) => Object.keys(decodeJson(text) as object));
  expect(keys).toEqual([
    ["a", "\\"],
    ["a", '"'],
    ["a", "\n"],
  ]);
});
