import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { encode } from "./fuzz-target.ts";

const root = new URL("../../packages/", import.meta.url);

/** A fixture of a package: what its tests hold the code to is what good inputs look like. */
export function readFixture(file: string): JsonObject {
  return JSON.parse(readFileSync(new URL(file, root), "utf8")) as JsonObject;
}

/** The objects that kube-apiserver answered to the codec's fixtures, as JSON. */
export function objectFixtures(): readonly JsonObject[] {
  const { answers } = readFixture("api-server/src/codec/fixtures/kube-apiserver-1.36.json");
  return (answers as JsonObject[]).flatMap(({ body }) =>
    body === undefined ? [] : [body as JsonObject],
  );
}

export function asJson(values: readonly JsonValue[]): readonly Uint8Array[] {
  return values.map((value) => encode(JSON.stringify(value)));
}
