import { expect, test } from "vitest";
import { entityTag, holdsTag } from "./entity-tag.ts";

const tag = entityTag(Buffer.from("a document"));

test("a tag is the same for the same bytes only", () => {
  expect(entityTag(Buffer.from("a document"))).toBe(tag);
  expect(entityTag(Buffer.from("another document"))).not.toBe(tag);
  expect(tag).toMatch(/^[0-9A-F]{128}$/);
});

test("a client may hold several documents, or any", () => {
  expect(holdsTag(`"${tag}"`, tag)).toBe(true);
  expect(holdsTag(`"other", W/"${tag}"`, tag)).toBe(true);
  expect(holdsTag("*", tag)).toBe(true);
  expect(holdsTag(undefined, tag)).toBe(false);
  expect(holdsTag(tag, tag)).toBe(false);
});
