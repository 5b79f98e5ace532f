import { readFileSync } from "node:fs";
import {
  decodeJson,
  type JsonObject,
  type KubernetesList,
  type KubernetesObject,
  schemaOf,
  type WatchFrame,
} from "@homeostat/object-model";
import { expect, test } from "vitest";
import { printedJson } from "../answers/object-payload.ts";
import { printObject } from "../codec/print-object.ts";
import { decodeObject } from "./decode-object.ts";
import { ListEncoder } from "./encode-list.ts";
import { encodeObject } from "./encode-object.ts";
import { encodeWatchEvent } from "./encode-watch-event.ts";

interface Recorded<T> {
  readonly json: T;
  /** In hex. */
  readonly protobuf: string;
}

/** The same answers of kube-apiserver 1.36.3, once as JSON and once as protobuf. */
const recorded = decodeJson(
  readFileSync(new URL("fixtures/kube-apiserver-1.36.json", import.meta.url), "utf8"),
) as unknown as {
  objects: (Recorded<JsonObject> & { schema: string })[];
  list: Recorded<KubernetesList<KubernetesObject>>;
  watch: Recorded<WatchFrame[]>;
};

test.for(recorded.objects)(
  "a $schema has the bytes that kube-apiserver sends, and is read from them",
  ({ schema: name, json, protobuf }) => {
    const schema = schemaOf(name);
    expect(encodeObject(printedJson(json)).toString("hex")).toBe(protobuf);
    const decoded = decodeObject(Buffer.from(protobuf, "hex"), { kind: "", apiVersion: "" });
    expect(printObject(schema, decoded)).toEqual(json);
  },
);

test("a list has the bytes that kube-apiserver sends", () => {
  const { json, protobuf } = recorded.list;
  const list = new ListEncoder(schemaOf("core.v1.ConfigMap"));
  for (const item of json.items) list.add(printedJson(item));
  const type = { kind: json.kind!, apiVersion: json.apiVersion! };
  const chunks = [...list.finish(type, json.metadata!)];
  expect(Buffer.concat(chunks).toString("hex")).toBe(protobuf);
});

test("a watch has the frames that kube-apiserver sends", () => {
  const { json, protobuf } = recorded.watch;
  const frames = json.map(({ type, object }) => encodeWatchEvent(type, printedJson(object)));
  expect(Buffer.concat(frames).toString("hex")).toBe(protobuf);
});

test("a list that is longer than a chunk is one message in several pieces", () => {
  const schema = schemaOf("core.v1.ConfigMap");
  const list = new ListEncoder(schema);
  const items = Array.from({ length: 40 }, (_, index) => ({
    metadata: { name: `c${index}` },
    data: { text: "x".repeat(20_000) },
  }));
  for (const item of items) list.add(printedJson(item));
  const chunks = [...list.finish({ kind: "ConfigMapList", apiVersion: "v1" }, {})];
  expect(chunks.length).toBeGreaterThan(4);
  for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(256 * 1024);
  const decoded = decodeObject(Buffer.concat(chunks), { kind: "", apiVersion: "" });
  expect(decoded["items"]).toEqual(items);
  const whole = { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items };
  const atOnce = encodeObject(printedJson(whole));
  expect(atOnce.equals(Buffer.concat(chunks))).toBe(true);
});
