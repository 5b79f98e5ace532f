import { expect, test } from "vitest";
import { negotiate } from "./negotiation.ts";

test.for([
  [undefined, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["application/yaml", "application/yaml"],
  ["Application/YAML; q=0.1", "application/yaml"],
  ["application/yaml, application/json", "application/yaml"],
  ["application/vnd.kubernetes.protobuf,application/json", "application/json"],
  ["application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "application/json"],
  ["text/html, */*;q=0.8", "application/json"],
] as const)("%s gets %s", ([accept, media]) => {
  expect(negotiate(accept, "object")).toBe(media);
});

test.for(["object", "list", "watch"] as const)("nothing that is served is refused: %s", (what) => {
  expect(() => negotiate("text/html", what)).toThrow("406: Not Acceptable");
});

test("only another form of the answer is refused with the forms there are", () => {
  expect(() => negotiate("application/json;as=Table;v=v1;g=meta.k8s.io", "list")).toThrow(
    "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
  );
});

test("a watch is never YAML", () => {
  expect(negotiate("application/json", "watch")).toBe("application/json");
  expect(() => negotiate("application/yaml", "watch")).toThrow(
    "only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
  );
});
