import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { imagePullPolicyOf } from "./image-pull-policy.ts";

test("images are pulled as kube-apiserver decides", () => {
  const file = new URL("fixtures/image-pull-policy.json", import.meta.url);
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  const images = Object.keys(recorded);
  expect(images.length).toBeGreaterThan(50);
  const decided = images.map((image) => [image, imagePullPolicyOf(image)]);
  expect(Object.fromEntries(decided)).toEqual(recorded);
});

test("a container without an image waits for one", () => {
  expect(imagePullPolicyOf(undefined)).toBe("IfNotPresent");
  expect(imagePullPolicyOf("")).toBe("IfNotPresent");
});

test("only latest, written or meant, is pulled always", () => {
  const host = fc.constantFrom("", "localhost/", "r.example.com/", "r.example.com:5000/", "Host/");
  const part = fc.stringMatching(/^[a-z0-9]{1,8}([._-][a-z0-9]{1,8})?$/);
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const tag = fc.option(fc.constantFrom("latest", "v1", "Latest", "latest2", "_"));
  const digest = fc.option(fc.stringMatching(/^sha256:[a-f0-9]{64}$/));
  fc.assert(
    fc.property(fc.tuple(host, path, tag, digest), ([where, name, version, hash]) => {
      const image = [where, name, version && `:${version}`, hash && `@${hash}`].join("");
      const always = version === null ? hash === null : version === "latest";
      expect(imagePullPolicyOf(image)).toBe(always ? "Always" : "IfNotPresent");
    }),
  );
});

test("a long text that is no image takes no time", () => {
  const hostile = `${"a.".repeat(50_000)}/${"-_".repeat(50_000)}`;
  expect(imagePullPolicyOf(hostile)).toBe("IfNotPresent");
  expect(imagePullPolicyOf(`${"a-".repeat(50_000)}!`)).toBe("IfNotPresent");
});
