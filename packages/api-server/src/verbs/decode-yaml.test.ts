import { encodeJson } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { decodeYaml } from "./decode-yaml.ts";

function decode(text: string): unknown {
  return decodeYaml(Buffer.from(text)).value;
}

test.for([
  ["12", 12],
  ["-3", -3],
  ["0x1F", 31],
  ["9007199254740993", 9007199254740993n],
  ["1.5", 1.5],
  ["yes", true],
  ["off", false],
  ["~", null],
  ["'5'", "5"],
  ["!!str 5", "5"],
  // As go-yaml has it, and kube-apiserver stores it.
  ["2001-12-14", "2001-12-14"],
  ["2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"],
  ["!!timestamp 2001-12-14", "2001-12-14"],
  ["12:30:45", "12:30:45"],
  ["1:30.5", "1:30.5"],
  ["!!binary aGVsbG8=", "hello"],
] as const)("%s is read as Go reads it", ([text, value]) => {
  expect(decode(`k: ${text}\n`)).toEqual({ k: value });
});

test("keys are plain data, whatever they are called", () => {
  const value = decode("__proto__: {a: 1}\nconstructor: b\n1: c\ntrue: d\n") as object;
  expect(encodeJson(value)).toBe('{"1":"c","__proto__":{"a":1},"constructor":"b","true":"d"}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test("aliases are refused", () => {
  expect(() => decode("a: &x [1]\nb: [*x, *x]\n")).toThrow("aliases are not accepted in YAML bodies");
});

test("what is no YAML is refused with its line", () => {
  expect(() => decode("a: 1\nb: [\n")).toThrow(/^yaml: line \d+: /);
});

test("a key that is given twice is told with its line, and the last one counts", () => {
  const { value, problems } = decodeYaml(Buffer.from("a: 1\nb: 2\na: 3\n")) as {
    value: unknown;
    problems?: readonly string[];
  };
  expect(value).toEqual({ a: 3, b: 2 });
  expect(problems).toEqual(['line 3: key "a" already set in map']);
});
