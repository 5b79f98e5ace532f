import { expect, test } from "vitest";
import { editText, publishedReplacements } from "./text-edit.ts";

const text = "a()\nb()\na()\n";

test("texts go before, after and in place of what is found", () => {
  expect(editText("x.go", text, [{ find: "b()\n", before: "c()\n", after: "d()\n" }])).toBe(
    "a()\nc()\nb()\nd()\na()\n",
  );
  expect(editText("x.go", text, [{ find: "a()", instead: "e($&)", times: 2 }])).toBe(
    "e($&)\nb()\ne($&)\n",
  );
});

test("an edit sees what those before it made", () => {
  const edits = [
    { find: "b()", instead: "c()" },
    { find: "c()", after: ";" },
  ];
  expect(editText("x.go", text, edits)).toBe("a()\nc();\na()\n");
});

test("what is not there as often as it should be is an error that names the file", () => {
  expect(() => editText("m x.go", text, [{ find: "c()" }])).toThrow(
    'm x.go: expected "c()" 1 times, found it 0 times',
  );
  expect(() => editText("x.go", text, [{ find: "a()", before: "!" }])).toThrow("found it 2 times");
});

const goMod = `module m

require k8s.io/api v0.0.0

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/client-go => ./staging/src/k8s.io/client-go
	example.com/other => example.com/fork v1.2.3
)
`;

test("folders of the repository become versions or folders of ours, other replacements stay", () => {
  expect(publishedReplacements(goMod, "v0.1.0", { "k8s.io/api": "../api" })).toBe(`module m

require k8s.io/api v0.0.0

replace (
	k8s.io/api => ../api
	k8s.io/client-go => k8s.io/client-go v0.1.0
	example.com/other => example.com/fork v1.2.3
)
`);
});

test("a go.mod without the replacements is an error", () => {
  expect(() => publishedReplacements("module m\n", "v0.1.0", {})).toThrow(
    "expected a replacement of any module",
  );
  expect(() => publishedReplacements(goMod, "v0.1.0", { "k8s.io/x": "../x" })).toThrow(
    "expected a replacement of k8s.io/x",
  );
});
