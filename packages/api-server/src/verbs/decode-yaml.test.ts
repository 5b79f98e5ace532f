import { encodeJson } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { decodeYaml } from "./decode-yaml.ts";
import { YamlError } from "./yaml-error.ts";

const breathe = (): Promise<void> => Promise.resolve();

async function decode(text: string): Promise<unknown> {
  return (await decodeYaml(Buffer.from(text), breathe)).value;
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
] as const)("%s is read as Go reads it", async ([text, value]) => {
  expect(await decode(`k: ${text}\n`)).toEqual({ k: value });
});

test("keys are plain data, whatever they are called", async () => {
  const value = (await decode("__proto__: {a: 1}\nconstructor: b\n1: c\ntrue: d\n")) as object;
  expect(encodeJson(value)).toBe('{"1":"c","__proto__":{"a":1},"constructor":"b","true":"d"}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test("aliases are refused", async () => {
  await expect(decode("a: &x [1]\nb: [*x, *x]\n")).rejects.toThrow(
    "aliases are not accepted in YAML bodies",
  );
});

test("what is no YAML is refused with its line", async () => {
  await expect(decode("a: 1\nb: [\n")).rejects.toThrow(/^yaml: line \d+: /);
});

test("a key that is given twice is told with its line, and the last one counts", async () => {
  const { value, problems } = await decodeYaml(Buffer.from("a: 1\nb: 2\na: 3\n"), breathe);
  expect(value).toEqual({ a: 3, b: 2 });
  expect(problems).toEqual(['line 3: key "a" already set in map']);
});

test("a long body lets others have their turn, and one that is too long is refused", async () => {
  let breaths = 0;
  const count = (): Promise<void> => {
    breaths += 1;
    return Promise.resolve();
  };
  const list = (items: number): Buffer => Buffer.from(`a: [${Array(items).fill("1").join(",")}]`);
  const { value } = await decodeYaml(list(5_000), count);
  expect((value as { a: number[] }).a.length).toBe(5_000);
  expect(breaths).toBeGreaterThan(5);
  const refused = "Request entity too large: a YAML body may have 60000 tokens; send it as JSON";
  await expect(decodeYaml(list(100_000), count)).rejects.toThrow(refused);
});

test("more brackets in brackets than Go reads are no YAML", async () => {
  const nested = `value: ${"[".repeat(10_001)}${"]".repeat(10_001)}`;
  await expect(decode(nested)).rejects.toThrow("yaml: exceeded max depth of 10000");
  await expect(decode(`{${'"a": ['.repeat(20_000)}`)).rejects.toThrow(YamlError);
  const wide = `value: [${"[],".repeat(11_000)}]`;
  await expect(decode(wide)).resolves.toBeDefined();
});
