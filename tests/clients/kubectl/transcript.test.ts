import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expectedOf, parseTranscript, printTranscript, type Step } from "./transcript.ts";

const text = `#: Twice.
$ kubectl apply -f a.yaml
configmap/a created

$ cat <<END
> one
> END
one

two
[exit 3]
[kubectl 1.32]
> three
`;

test("a transcript is commands, what they print, and what other versions print", () => {
  expect(parseTranscript(text)).toEqual([
    {
      remarks: ["Twice."],
      command: "kubectl apply -f a.yaml",
      printed: "configmap/a created",
      otherwise: new Map(),
    },
    {
      remarks: [],
      command: "cat <<END\none\nEND",
      printed: "one\n\ntwo\n[exit 3]",
      otherwise: new Map([["1.32", "> three"]]),
    },
  ]);
  expect(printTranscript(parseTranscript(text))).toBe(text);
});

test("what is printed is read again as it was", () => {
  const line = fc.stringMatching(/^[a-z/][a-z ]{0,8}[a-z]$/);
  const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((each) => each.join("\n"));
  const step: fc.Arbitrary<Step> = fc.record({
    remarks: fc.array(line, { maxLength: 2 }),
    command: lines,
    printed: fc.oneof(lines, fc.constant("")),
    otherwise: fc
      .dictionary(fc.constantFrom("1.30", "1.32"), lines)
      .map((each) => new Map(Object.entries(each))),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
      expect(parseTranscript(printTranscript(steps))).toEqual(steps);
    }),
  );
});

test("a version that was never recorded may print what any other does", () => {
  const [step] = parseTranscript("$ kubectl x\nnew\n[kubectl 1.32]\nold\n");
  expect(expectedOf(step!, "1.36", true)).toEqual(["new"]);
  expect(expectedOf(step!, "1.32", true)).toEqual(["old"]);
  expect(expectedOf(step!, "1.34", false)).toEqual(["new", "old"]);
});
