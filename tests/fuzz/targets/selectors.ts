import type { SeededRandom } from "@homeostat/concurrency";
import { FieldSelector, LabelSelector, SelectorError } from "@homeostat/object-model";
import { decode, encode, type FuzzTarget, pick, requireLaw } from "../fuzz-target.ts";

const KEYS = [
  "a",
  "app",
  "x.io/name",
  "constructor",
  "__proto__",
  "in",
  "notin",
  "metadata.name",
  "-a",
  "",
];
const VALUES = ["", "a", "b-c", "toString", "x".repeat(64), "a b", "\\,", "\\=", "é"];
const LABELS: readonly Readonly<Record<string, string>>[] = [
  {},
  { a: "a" },
  { app: "b-c", constructor: "toString" },
  Object.fromEntries([["__proto__", "a"]]),
];

function requirement(random: SeededRandom): string {
  const key = pick(random, KEYS);
  const value = (): string => pick(random, VALUES);
  const list = Array.from({ length: random.below(4) }, value).join(",");
  switch (random.below(8)) {
    case 0:
      return key;
    case 1:
      return `!${key}`;
    case 2:
      return `${key}=${value()}`;
    case 3:
      return `${key}==${value()}`;
    case 4:
      return `${key}!=${value()}`;
    case 5:
      return `${key} in (${list})`;
    case 6:
      return `${key} notin (${list})`;
    default:
      return `${key}>${random.below(100)}`;
  }
}

/**
 * What is parsed prints to what matches the same, and settles: terms are put in order by their text,
 * so the first print may put those of one key in another order.
 */
export async function openSelectors(): Promise<FuzzTarget> {
  return {
    corpus: [
      "a=b,c!=d",
      "!x,y in (a,b),z notin (),w",
      "x.io/y==z",
      "a>5,b<6",
      "",
      "metadata.name=x",
      "metadata.name=a\\,b,spec.nodeName!=",
      "a = b , c in ( d , e )",
    ].map(encode),
    words: [
      "=",
      "==",
      "!=",
      "!",
      " in ",
      " notin ",
      "(",
      ")",
      ",",
      ">",
      "<",
      "\\",
      "a",
      "\t",
      "\n",
    ],
    generate: (random) =>
      encode(Array.from({ length: 1 + random.below(4) }, () => requirement(random)).join(",")),
    run(input) {
      const text = decode(input);
      const labels = attempt(() => LabelSelector.parse(text));
      if (labels !== undefined) {
        const again = LabelSelector.parse(labels.toString());
        const settled = LabelSelector.parse(again.toString()).toString();
        requireLaw(settled === again.toString(), "a label selector prints differently again");
        for (const each of LABELS) {
          requireLaw(
            again.matches(each) === labels.matches(each),
            "printed, it matches something else",
          );
        }
      }
      const fields = attempt(() => FieldSelector.parse(text));
      if (fields !== undefined) {
        const again = FieldSelector.parse(fields.toString());
        const settled = FieldSelector.parse(again.toString()).toString();
        requireLaw(settled === again.toString(), "a field selector prints differently again");
        for (const each of LABELS) {
          requireLaw(
            again.matches(each) === fields.matches(each),
            "printed, it matches something else",
          );
        }
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
