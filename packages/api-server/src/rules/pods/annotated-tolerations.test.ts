import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readTolerations } from "./annotated-tolerations.ts";

test("names are read in any case, and what is unknown or null is passed over", () => {
  expect(readTolerations('[{"KEY":"a","tolerationSeconds":5,"value":null,"x":1},null]')).toEqual({
    tolerations: [{ key: "a", tolerationSeconds: 5 }, {}],
  });
  expect(readTolerations("null")).toEqual({ tolerations: [] });
});

test.each([
  ["x", "invalid character 'x' looking for beginning of value"],
  ["[", "unexpected end of JSON input"],
  ["{}", "json: cannot unmarshal object into Go value of type []core.Toleration"],
  ['"a"', "json: cannot unmarshal string into Go value of type []core.Toleration"],
  ["[1]", "json: cannot unmarshal number into Go value of type core.Toleration"],
  [
    '[{"key":1}]',
    "json: cannot unmarshal number into Go struct field Toleration.Key of type string",
  ],
  [
    '[{"tolerationSeconds":"a"}]',
    "json: cannot unmarshal string into Go struct field Toleration.TolerationSeconds of type int64",
  ],
])("%s is refused as kube-apiserver does", (text, problem) => {
  expect(readTolerations(text)).toEqual({ problem });
});

test("whatever an annotation holds, it is read or refused", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = readTolerations(text);
      expect("problem" in read ? read.problem : read.tolerations).toBeDefined();
    }),
  );
});
