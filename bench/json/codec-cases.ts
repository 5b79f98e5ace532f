import { decodeJson, encodeJson, encodeJsonBytes, type JsonValue } from "@homeostat/object-model";
import { configMap, pod } from "./sample-objects.ts";

/** One thing that both sides read or write. */
export interface CodecCase {
  readonly name: string;
  readonly native: () => unknown;
  readonly ours: () => unknown;
}

/** Objects as a cluster holds them: on these the codec promises to be near native JSON. */
export function ordinaryCases(): CodecCase[] {
  return [
    ...bothWays("ConfigMap", configMap(1)),
    ...bothWays("Pod", pod(1, 6)),
    ...bothWays("Pod", pod(1, 20)),
    ...bothWays("list of 300 pods", podList(300)),
    ...bothWays("list of 1,000 pods", podList(1_000)),
    ...asBytes("Pod", pod(1, 6)),
  ];
}

/** What native JSON gets wrong, cannot do, or does not look at, and texts made to be slow. */
export function hardCases(): CodecCase[] {
  const ordinary = JSON.stringify(pod(1, 6));
  const withBigInt = ordinary.replace('"priority":0', '"priority":9007199254740993');
  const withDuplicate = ordinary.replace('"priority":0', '"priority":0,"priority":1');
  const thousandKeys = Array.from({ length: 1_000 }, (_, i) => [`key-${i * 7919}`, String(i)]);
  return [
    reportingDuplicates("Pod without any", ordinary),
    reportingDuplicates("Pod with one", withDuplicate),
    decoding("Pod with an int64 beyond 2^53", withBigInt),
    encodingBigInt("Pod with an int64 beyond 2^53", decodeJson(withBigInt)),
    ...bothWays("lists 250 deep", JSON.parse("[".repeat(250) + "]".repeat(250))),
    ...bothWays("lists 9,000 deep", JSON.parse("[".repeat(9_000) + "]".repeat(9_000))),
    ...bothWays("__proto__ and the like", JSON.parse('{"__proto__":{"toJSON":1},"constructor":2}')),
    ...bothWays("many escapes", { text: 'say "hi"\n\\ \u0001 '.repeat(200) }),
    ...bothWays("Pod as JSON in an annotation", { annotations: { last: ordinary } }),
    decoding("escaped surrogate pairs", `{"text":"${"\\ud83d\\ude00 ".repeat(200)}"}`),
    ...bothWays("map of 1,000 keys", Object.fromEntries(thousandKeys)),
    ...bothWays("null among 500 floats", [null, ...Array<number>(500).fill(0.5)]),
  ];
}

function podList(count: number): unknown {
  const items = Array.from({ length: count }, (_, i) => pod(i, 6));
  return { kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "1" }, items };
}

function bothWays(what: string, object: unknown): CodecCase[] {
  const text = JSON.stringify(object);
  const name = `${what}, ${size(text)}`;
  const value: unknown = JSON.parse(text);
  return [
    decoding(name, text),
    {
      name: `encode ${name}`,
      native: () => JSON.stringify(value),
      ours: () => encodeJson(value),
    },
  ];
}

function decoding(name: string, source: string): CodecCase {
  const text = flat(source);
  return {
    name: `decode ${name}`,
    native: () => JSON.parse(text) as unknown,
    ours: () => decodeJson(text),
  };
}

/** Native here is what one would write by hand between JSON and a socket. */
function asBytes(what: string, object: unknown): CodecCase[] {
  const text = JSON.stringify(object);
  const name = `${what}, ${size(text)}`;
  const value: unknown = JSON.parse(text);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const bytes = encoder.encode(text);
  return [
    {
      name: `decode bytes of ${name}`,
      native: () => JSON.parse(decoder.decode(bytes)) as unknown,
      ours: () => decodeJson(bytes),
    },
    {
      name: `encode to bytes ${name}`,
      native: () => encoder.encode(JSON.stringify(value)),
      ours: () => encodeJsonBytes(value),
    },
  ];
}

function reportingDuplicates(name: string, source: string): CodecCase {
  const text = flat(source);
  return {
    name: `decode, duplicates reported: ${name}`,
    native: () => JSON.parse(text) as unknown,
    ours: () => decodeJson(text, { duplicates: "report" }),
  };
}

/** Native JSON refuses bigints: it gets a replacer, and loses digits. */
function encodingBigInt(name: string, value: JsonValue): CodecCase {
  const toNumber = (_: string, member: unknown): unknown =>
    typeof member === "bigint" ? Number(member) : member;
  return {
    name: `encode ${name} (native: replacer)`,
    native: () => JSON.stringify(value, toNumber),
    ours: () => encodeJson(value),
  };
}

/** As a text that arrived is: one piece, not the rope that building it left. */
function flat(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

function size(text: string): string {
  return text.length < 100_000
    ? `${(text.length / 1_000).toFixed(1)} KB`
    : `${(text.length / 1_000_000).toFixed(1)} MB`;
}
