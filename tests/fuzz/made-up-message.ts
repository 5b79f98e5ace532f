import type { SeededRandom } from "@homeostat/concurrency";
import { pick } from "./fuzz-target.ts";

const KEYS = ["a", "b.c", "__proto__", "constructor", "toString", "x-y"];
const TEXTS = ["", "a", "é", "\u0000", "\ud83d\ude00", "x".repeat(300)];
const LABELS = ["a", "x.io/b", "constructor"];

/** A number of a field, and what is in it: a message, a text, bytes or a whole number. */
type Field = readonly [number: number, content: Uint8Array | number | string];

/** A ConfigMap or Secret as protobuf in its envelope: fields in any order, some twice, some unknown. */
export function madeUpMessage(random: SeededRandom): Uint8Array {
  const kind = pick(random, ["ConfigMap", "Secret"]);
  const fields: Field[] = [
    [1, metadata(random)],
    ...several(random, (): Field => [2, entry(random, pick(random, KEYS))]),
    ...several(
      random,
      (): Field => [kind === "Secret" ? 4 : 3, entry(random, `${pick(random, KEYS)}2`)],
    ),
    [kind === "Secret" ? 5 : 4, random.below(2)],
    ...several(random, (): Field => [100 + random.below(9), random.bytes(random.below(9))]),
  ];
  const raw = message(shuffled(random, fields));
  const type = message([
    [1, "v1"],
    [2, kind],
  ]);
  const envelope = message([
    [1, type],
    [2, raw],
    [3, ""],
    [4, ""],
  ]);
  return Buffer.concat([Buffer.from("k8s\0"), envelope]);
}

function metadata(random: SeededRandom): Buffer {
  const fields: Field[] = [
    [1, "a"],
    [6, random.below(4) === 0 ? "7" : ""],
    [7, random.below(2 ** 31)],
    [8, message([[1, random.below(2 ** 31)]])],
    ...several(
      random,
      (): Field => [
        11,
        message([
          [1, pick(random, LABELS)],
          [2, "v"],
        ]),
      ],
    ),
    ...several(
      random,
      (): Field => [
        12,
        message([
          [1, pick(random, LABELS)],
          [2, pick(random, TEXTS)],
        ]),
      ],
    ),
    ...several(random, (): Field => [14, `x.io/${random.below(9)}`]),
  ];
  return message(shuffled(random, fields));
}

function entry(random: SeededRandom, key: string): Buffer {
  return message([
    [1, key],
    [2, pick(random, TEXTS)],
  ]);
}

function several(random: SeededRandom, make: () => Field): Field[] {
  return Array.from({ length: random.below(4) }, make);
}

function shuffled(random: SeededRandom, fields: readonly Field[]): Field[] {
  return fields
    .map((field) => ({ field, order: random.float() }))
    .sort((one, other) => one.order - other.order)
    .map(({ field }) => field);
}

function message(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([number, content]) => {
      if (typeof content === "number") return Buffer.concat([varint(number * 8), varint(content)]);
      const bytes = Buffer.from(content);
      return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
