import { expect, test } from "vitest";
import {
  createEnvironment,
  DYN,
  EvaluationError,
  Failure,
  jsonOf,
  kubernetesLibraries,
  type Library,
  MessageValue,
  type ObjectType,
  STRING,
} from "./index.ts";

const BOX: ObjectType = {
  kind: "object",
  name: "Box",
  fields: new Map([
    ["label", { type: STRING, jsonName: "label" }],
    ["content", { type: DYN, jsonName: "content" }],
  ]),
};

const boxes: Library = {
  name: "boxes",
  functions: [],
  messages: (name) =>
    name === "Box"
      ? {
          type: BOX,
          make: (fields) =>
            fields.get("label") === "forbidden"
              ? new Failure("no such box")
              : new MessageValue(BOX, fields),
        }
      : undefined,
};

const environment = createEnvironment({
  libraries: [...kubernetesLibraries(), boxes],
  variables: { x: DYN },
});

function evaluate(
  text: string,
  x: unknown = null,
): { readonly value: unknown; readonly cost: number } {
  const compiled = environment.compile(text);
  if (!compiled.ok) throw new Error(compiled.message);
  const { value, cost } = compiled.expression.evaluate({ x: x as null });
  return { value: jsonOf(value), cost };
}

test("a message holds the fields that were given, at the cost of a struct", () => {
  expect(evaluate("Box{label: 'a', content: {'b': [true]}}")).toEqual({
    value: { label: "a", content: { b: [true] } },
    cost: 40,
  });
  expect(evaluate("Box{content: Box{label: 'in'}}").cost).toBe(80);
});

test("optional fields are there or not", () => {
  expect(evaluate("Box{?label: optional.of('a'), ?content: optional.none()}").value).toEqual({
    label: "a",
  });
});

test("messages are equal by type and fields", () => {
  expect(evaluate("Box{label: 'a'} == Box{label: 'a'}").value).toBe(true);
  expect(evaluate("Box{label: 'a'} == Box{label: 'b'}").value).toBe(false);
  expect(evaluate("dyn(Box{label: 'a'}) == {'label': 'a'}").value).toBe(false);
  expect(evaluate("Box{label: 'a'}.label + 'b'").value).toBe("ab");
});

test.each([
  ["Box{size: 1}", "undefined field 'size'"],
  ["Box{label: 1}", "expected type of field 'label' is 'string' but provided type is 'int'"],
  ["Crate{}", "undeclared reference to 'Crate'"],
])("%s does not compile", (text, message) => {
  const compiled = environment.compile(text);
  expect(compiled.ok ? "" : compiled.message).toContain(message);
});

test("a type may refuse fields when it is made", () => {
  expect(() => evaluate("Box{label: 'forbidden'}")).toThrow(EvaluationError);
});

test("a variable that is null is null, not missing", () => {
  expect(evaluate("x == null").value).toBe(true);
  expect(evaluate("has(x.y)").value).toBe(false);
});

test("bytes, times and keys that JSON knows are JSON", () => {
  expect(
    evaluate("[dyn(b'abcd'), dyn(timestamp('2020-01-01T00:00:00Z')), dyn(duration('90s'))]").value,
  ).toEqual(["YWJjZA==", "2020-01-01T00:00:00Z", "90s"]);
  expect(JSON.stringify(evaluate("{'__proto__': 1}").value)).toBe('{"__proto__":1}');
  expect(() => evaluate("{1: 2}")).toThrow("map key is of type types.Int, not string");
});
