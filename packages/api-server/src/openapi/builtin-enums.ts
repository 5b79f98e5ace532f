import { builtinEnums } from "./generated/builtin-enums.ts";

let byField: ReadonlyMap<string, readonly string[]> | undefined;

/** The values a field of a message can have; undefined where documents do not say. */
export function enumOf(message: string, field: string): readonly string[] | undefined {
  byField ??= readEnums(builtinEnums);
  return byField.get(`${message}.${field}`);
}

function readEnums(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const line of text.trim().split("\n")) {
    const [fields = "", values = ""] = line.split("=");
    for (const field of fields.split(" ")) found.set(field, values.split(","));
  }
  return found;
}
