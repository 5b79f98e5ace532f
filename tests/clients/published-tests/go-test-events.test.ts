import { expect, test } from "vitest";
import { GoTestEvents } from "./go-test-events.ts";

function read(...lines: string[]): GoTestEvents {
  const events = new GoTestEvents();
  for (const line of lines) events.read(line);
  return events;
}

test("a package has the tests that passed, and the output of those that did not", () => {
  const { packages } = read(
    '{"Action":"start","Package":"a"}',
    '{"Action":"run","Package":"a","Test":"TestOne"}',
    '{"Action":"output","Package":"a","Test":"TestOne","Output":"fine\\n"}',
    '{"Action":"pass","Package":"a","Test":"TestOne","Elapsed":0.5}',
    '{"Action":"run","Package":"a","Test":"TestTwo"}',
    '{"Action":"output","Package":"a","Test":"TestTwo","Output":"expected 1\\n"}',
    '{"Action":"output","Package":"a","Test":"TestTwo","Output":"got 2\\n"}',
    '{"Action":"fail","Package":"a","Test":"TestTwo","Elapsed":1}',
    '{"Action":"output","Package":"a","Output":"FAIL\\n"}',
    '{"Action":"fail","Package":"a","Elapsed":2.5}',
  );
  const tests = packages.get("a")!;
  expect([tests.passed, tests.seconds]).toEqual([1, 2.5]);
  expect([...tests.failed]).toEqual([
    ["TestTwo", "expected 1\ngot 2\n"],
    ["", "FAIL\n"],
  ]);
});

test("packages without tests are left out", () => {
  const { packages } = read(
    '{"Action":"start","Package":"none"}',
    '{"Action":"output","Package":"none","Output":"?   \\tnone\\t[no test files]\\n"}',
    '{"Action":"skip","Package":"none","Elapsed":0}',
  );
  expect([...packages]).toEqual([]);
});

test("what does not compile is told in the compiler's words", () => {
  const events = read(
    '{"ImportPath":"a","Action":"build-output","Output":"# a\\n"}',
    '{"ImportPath":"a","Action":"build-output","Output":"a.go:1:1: syntax error\\n"}',
    '{"ImportPath":"a","Action":"build-fail"}',
    '{"Action":"fail","Package":"a","Elapsed":0,"FailedBuild":"a"}',
    "go: updates to go.mod needed",
  );
  expect(events.said).toEqual(["# a", "a.go:1:1: syntax error", "go: updates to go.mod needed"]);
  expect([...events.packages.get("a")!.failed.keys()]).toEqual([""]);
});
