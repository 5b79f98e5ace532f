import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printFieldErrors } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import type { LabelRequirement } from "./label-requirement.ts";
import { checkLabelSelector, LabelSelector } from "./label-selector.ts";
import { SelectorError } from "./selector-error.ts";

const BAD_NAME =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const key = fc.constantFrom("a", "b", "in", "notin", "x.y/z", "constructor", "toString");
const value = fc.constantFrom("", "a", "b", "1", "2", "10", "in", "notin", "A.b_c");
const labels = fc.dictionary(key, value);
const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom("=", "==", "!="),
    values: value.map((one) => [one]),
  }),
  fc.record({
    key,
    operator: fc.constantFrom("in", "notin"),
    values: fc.array(value, { minLength: 1 }),
  }),
  fc.record({ key, operator: fc.constantFrom("exists", "!"), values: fc.constant([]) }),
  fc.record({
    key,
    operator: fc.constantFrom("gt", "lt"),
    values: fc.constantFrom("0", "1", "9").map((one) => [one]),
  }),
);
const selector = fc.array(requirement).map((all) => LabelSelector.fromRequirements(all));

test.each([
  ["", ""],
  [" ", ""],
  ["x=a", "x=a"],
  ["x==a", "x==a"],
  ["x!=a", "x!=a"],
  ["x", "x"],
  ["!x", "!x"],
  ["! x", "!x"],
  ["x>1", "x>1"],
  ["x < 10", "x<10"],
  ["x=", "x="],
  ["x=,y=", "x=,y="],
  ["x in (b,a)", "x in (a,b)"],
  ["x notin(a)", "x notin (a)"],
  ["x in ()", "x in ()"],
  ["x in (,)", "x in ()"],
  ["x in (a,,b)", "x in (,a,b)"],
  ["x in (a,)", "x in (,a)"],
  ["z,y=b,x!=c", "x!=c,y=b,z"],
  ["\tx \n in\r( a , b ) , y", "x in (a,b),y"],
  ["in in (in,notin)", "in in (in,notin)"],
  ["notin=in", "notin=in"],
  ["in", "in"],
  ["a=1,a=2", "a=1,a=2"],
  ["x=\0y", "x=y"],
  ["x=y\0", "x=y"],
  ["example.com/Name=v", "example.com/Name=v"],
])("%j prints as %j", (text, printed) => {
  expect(LabelSelector.parse(text).toString()).toBe(printed);
});

test.each([
  [",", "found ',', expected: !, identifier, or 'end of string'"],
  ["x,", "found '', expected: identifier after ','"],
  ["x,\0", "found '', expected: identifier after ','"],
  ["x,,y", "found ',', expected: identifier after ','"],
  ["x y", "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
  ["x=a b", "found 'b', expected: ',' or 'end of string'"],
  ["x=a=b", "found '=', expected: ',' or 'end of string'"],
  ["!x=a", "found '=', expected: ',' or 'end of string'"],
  ["!", "unable to parse requirement: found '', expected: identifier"],
  ["!!x", "unable to parse requirement: found '!', expected: identifier"],
  ["x===a", "unable to parse requirement: found '=', expected: identifier"],
  ["x in a", "unable to parse requirement: found 'a' expected: '('"],
  ["x in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"],
  ["x in (a", "unable to parse requirement: found '', expected: ',' or ')'"],
  ["x in (a,", "unable to parse requirement: found '', expected: ',', or identifier"],
  ["x in (a b)", "unable to parse requirement: found 'b', expected: ',' or ')'"],
  ["-x", `unable to parse requirement: <nil>: Invalid value: "-x": ${BAD_NAME}`],
  [
    "x>a",
    "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  [
    `x=${"v".repeat(64)}`,
    `unable to parse requirement: values[0][x]: Invalid value: "${"v".repeat(64)}": must be no more than 63 bytes`,
  ],
])("%j is refused in Kubernetes' words", (text, message) => {
  expect(() => LabelSelector.parse(text)).toThrow(
    new SelectorError("label-selector-malformed", message),
  );
});

test.each([
  ["", {}, true],
  ["x=a", { x: "a" }, true],
  ["x=a", { x: "b" }, false],
  ["x=a", {}, false],
  ["x!=a", {}, true],
  ["x!=a", { x: "b" }, true],
  ["x!=a", { x: "a" }, false],
  ["x in (a,b)", { x: "b" }, true],
  ["x in (a,b)", {}, false],
  ["x notin (a,b)", {}, true],
  ["x notin (a,b)", { x: "a" }, false],
  ["x=", { x: "" }, true],
  ["x=", {}, false],
  ["x", { x: "" }, true],
  ["!x", { x: "" }, false],
  ["!x", {}, true],
  ["x>5", { x: "10" }, true],
  ["x>5", { x: "5" }, false],
  ["x>5", { x: "six" }, false],
  ["x>5", {}, false],
  ["x<5", { x: "-3" }, true],
  ["x<5", { x: "+3" }, true],
  ["x<5", { x: "-9223372036854775809" }, false],
  ["x=a,y=b", { x: "a", y: "b" }, true],
  ["x=a,y=b", { x: "a" }, false],
  ["constructor", {}, false],
  ["!toString", {}, true],
])("%j of %j is %j", (text, set, expected) => {
  expect(LabelSelector.parse(text).matches(set)).toBe(expected);
});

test("labels named like members of objects are data", () => {
  const set = JSON.parse('{"__proto__":"a","constructor":"b"}');
  expect(LabelSelector.parse("constructor=b").matches(set)).toBe(true);
  expect(LabelSelector.fromLabels({ constructor: "b" }).matches({})).toBe(false);
});

test("printing and parsing again selects the same", () => {
  fc.assert(
    fc.property(selector, fc.array(labels), (before, sets) => {
      const after = LabelSelector.parse(before.toString());
      expect(LabelSelector.parse(after.toString()).toString()).toBe(after.toString());
      for (const set of sets) expect(after.matches(set)).toBe(before.matches(set));
    }),
  );
});

test("a selector selects what all its requirements select", () => {
  fc.assert(
    fc.property(fc.array(requirement), labels, (all, set) => {
      const each = all.map((one) => LabelSelector.fromRequirements([one]).matches(set));
      expect(LabelSelector.fromRequirements(all).matches(set)).toBe(!each.includes(false));
    }),
  );
});

test("a requirement and its opposite select everything between them and nothing twice", () => {
  const opposite = { in: "notin", "=": "!=", "==": "!=", exists: "!" } as const;
  fc.assert(
    fc.property(requirement, labels, (one, set) => {
      const operator = opposite[one.operator as keyof typeof opposite];
      fc.pre(operator !== undefined);
      const yes = LabelSelector.fromRequirements([one]).matches(set);
      expect(LabelSelector.fromRequirements([{ ...one, operator }]).matches(set)).toBe(!yes);
    }),
  );
});

test("any text is a selector or a selector error", () => {
  const nearly = fc.stringMatching(/^[ab!=()<>, in\0]{0,20}$/);
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string()), (text) => {
      const error = refusal(text);
      expect(error === undefined || error instanceof SelectorError).toBe(true);
    }),
  );
});

test("requirements are shown in the order of their keys, for an index to use", () => {
  const parsed = LabelSelector.parse("b in (2,1),a=x,c");
  expect(parsed.requirements).toEqual([
    { key: "a", operator: "=", values: ["x"] },
    { key: "b", operator: "in", values: ["1", "2"] },
    { key: "c", operator: "exists", values: [] },
  ]);
  expect(parsed.requiredValue("a")).toBe("x");
  expect(parsed.requiredValue("b")).toBeUndefined();
  expect(parsed.requiredValue("c")).toBeUndefined();
  expect(parsed.requiredValue("d")).toBeUndefined();
  expect(LabelSelector.parse("b in (1)").requiredValue("b")).toBe("1");
});

test("an object selector that is absent selects nothing, an empty one everything", () => {
  for (const absent of [undefined, null]) {
    expect(LabelSelector.fromObject(absent).matches({})).toBe(false);
    expect(LabelSelector.fromObject(absent).isEmpty()).toBe(false);
  }
  for (const empty of [{}, { matchLabels: {}, matchExpressions: [] }]) {
    expect(LabelSelector.fromObject(empty).matches({ any: "thing" })).toBe(true);
    expect(LabelSelector.fromObject(empty).isEmpty()).toBe(true);
  }
});

test("the object form means the same as the text", () => {
  const object = LabelSelector.fromObject({
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["b", "a"] },
      { key: "env", operator: "NotIn", values: ["dev"] },
      { key: "owner", operator: "Exists" },
      { key: "canary", operator: "DoesNotExist", values: [] },
    ],
  });
  expect(object.toString()).toBe("app=web,!canary,env notin (dev),owner,tier in (a,b)");
});

test.each([
  [
    { matchExpressions: [{ key: "a", operator: "Near" }] },
    '"Near" is not a valid label selector operator',
  ],
  [
    { matchExpressions: [{ key: "a", operator: "toString" }] },
    '"toString" is not a valid label selector operator',
  ],
  [
    { matchExpressions: [{ key: "a", operator: "In" }] },
    "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
  ],
  [
    { matchExpressions: [{ key: "a", operator: "Exists", values: ["x"] }] },
    'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
  ],
  [{ matchLabels: { "-a": "x" } }, `key: Invalid value: "-a": ${BAD_NAME}`],
])("the object selector %j is refused", (object, message) => {
  expect(() => LabelSelector.fromObject(object)).toThrow(
    new SelectorError("label-selector-malformed", message),
  );
});

test("requirements that make no sense are refused", () => {
  const two = { key: "a", operator: "=", values: ["x", "y"] } as const;
  expect(() => LabelSelector.fromRequirements([two])).toThrow(
    'values: Invalid value: ["x","y"]: exact-match compatibility requires one single value',
  );
  expect(() => LabelSelector.fromRequirements([{ ...two, operator: "gt" }])).toThrow(
    "for 'Gt', 'Lt' operators, exactly one value is required",
  );
});

test("a selector can be narrowed, and nothing stays nothing", () => {
  const one = LabelSelector.parse("b=1");
  const narrowed = one.and([{ key: "a", operator: "exists", values: [] }]);
  expect(narrowed.toString()).toBe("a,b=1");
  expect(one.toString()).toBe("b=1");
  const none = LabelSelector.nothing.and([{ key: "a", operator: "!", values: [] }]);
  expect(none.matches({})).toBe(false);
});

test("validation names the fields of the object form", () => {
  const errors = checkLabelSelector(
    {
      matchLabels: { "-a": "x" },
      matchExpressions: [
        { key: "a", operator: "In" },
        { key: "a", operator: "Exists", values: ["x"] },
        { key: "a", operator: "Near" },
        { key: "-a", operator: "In", values: ["v".repeat(64)] },
      ],
    },
    FieldPath.of("spec", "selector"),
  );
  expect(errors.map(String)).toEqual([
    `spec.selector.matchLabels: Invalid value: "-a": ${BAD_NAME}`,
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    'spec.selector.matchExpressions[2].operator: Invalid value: "Near": not a valid selector operator',
    `spec.selector.matchExpressions[3].key: Invalid value: "-a": ${BAD_NAME}`,
    `spec.selector.matchExpressions[3].values[0]: Invalid value: "${"v".repeat(64)}": must be no more than 63 bytes`,
  ]);
  expect(printFieldErrors(errors).startsWith("[spec.selector.matchLabels")).toBe(true);
  expect(checkLabelSelector(undefined, FieldPath.of("spec"))).toEqual([]);
});

function refusal(text: string): unknown {
  try {
    LabelSelector.parse(text).matches({});
    return undefined;
  } catch (error) {
    return error;
  }
}
