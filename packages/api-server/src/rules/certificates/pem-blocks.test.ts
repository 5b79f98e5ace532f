import { expect, test } from "vitest";
import { pemBlocks } from "./pem-blocks.ts";

const BLOCK = "-----BEGIN X Y-----\neHl6\n-----END X Y-----\n";

function types(text: string): readonly string[] {
  return pemBlocks(text).map(({ type }) => type);
}

test("a block has a type and bytes", () => {
  expect(pemBlocks(BLOCK)).toEqual([{ type: "X Y", hasHeaders: false, bytes: Buffer.from("xyz") }]);
});

test("what is around blocks does not count", () => {
  expect(types(`hello\n${BLOCK}between\n${BLOCK.replaceAll("X Y", "Z").trim()}`)).toEqual([
    "X Y",
    "Z",
  ]);
});

test("lines may end as on Windows", () => {
  expect(types(BLOCK.replaceAll("\n", "\r\n"))).toEqual(["X Y"]);
});

test("headers are noticed", () => {
  const [block] = pemBlocks(BLOCK.replace("eHl6", "Proc-Type: 4\n\neHl6"));
  expect(block).toEqual({ type: "X Y", hasHeaders: true, bytes: Buffer.from("xyz") });
});

test.each([
  ["that is indented", ` ${BLOCK}`],
  ["that ends as another one", BLOCK.replace("END X Y", "END X")],
  ["that does not end", "-----BEGIN X Y-----\neHl6\n"],
  ["with something behind its end", `${BLOCK.trim()}x\n`],
  ["that holds no base64", BLOCK.replace("eHl6", "!!!!")],
  ["with half a group of base64", BLOCK.replace("eHl6", "eHl")],
])("a block %s is none", (_, text) => {
  expect(types(text)).toEqual([]);
});

test("the block after a broken one is found", () => {
  expect(types(`-----BEGIN A-----\nA: b\n${BLOCK}`)).toEqual(["X Y"]);
});
