import { MessageValue, type Value } from "@homeostat/cel";
import { goQuote } from "@homeostat/object-model";

/**
 * `Object.spec{template: Object.spec.wrong{}}`: the type of a field is named by the path to it from the
 * type that it is part of. Lists and maps in between have no names.
 */
export function typeNameProblems(message: MessageValue): readonly string[] {
  return problemsAt(message, message.celType.name);
}

function problemsAt(value: Value, expected: string): readonly string[] {
  const problems: string[] = [];
  if (value instanceof MessageValue) {
    const { name } = value.celType;
    if (name !== expected) {
      problems.push(
        `unexpected type name ${goQuote(name)}, expected ${goQuote(expected)}, which matches field name path from root Object type`,
      );
    }
    for (const [field, each] of value.fields) {
      problems.push(...problemsAt(each, `${expected}.${field}`));
    }
    return problems;
  }
  for (const each of membersOf(value)) problems.push(...problemsAt(each, expected));
  return problems;
}

/** Of lists and maps that the expression itself wrote: JSON holds no messages. */
function* membersOf(value: Value): Iterable<Value> {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
  if ("strict" in value) return;
  if ("at" in value && "size" in value) {
    const list = value as { size: number; at(index: number): Value };
    for (let index = 0; index < list.size; index += 1) yield list.at(index);
  } else if ("find" in value && "keys" in value) {
    const map = value as { keys(): Iterable<Value>; find(key: Value): Value | undefined };
    for (const key of map.keys()) {
      const each = map.find(key);
      if (each !== undefined) yield each;
    }
  }
}
