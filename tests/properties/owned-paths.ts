import {
  decodeJson,
  equalJson,
  type JsonObject,
  type JsonValue,
  ownKey,
} from "@homeostat/object-model";

/** The paths of a FieldsV1 that lead to nothing in the object. */
export function danglingPaths(fields: JsonValue, value: JsonValue | undefined, at = ""): string[] {
  return Object.entries(fields as JsonObject).flatMap(([element, inner]) => {
    if (element === ".") return value === undefined ? [at] : [];
    const found = step(element, value);
    const path = `${at}/${element}`;
    if (found === undefined) return [path];
    return danglingPaths(inner, found, path);
  });
}

/** Whether a set has the path, or something above it that is owned whole. */
export function ownsPath(fields: JsonValue, path: readonly string[]): boolean {
  let node: JsonValue | undefined = fields;
  for (const element of path) {
    node = ownKey(node as JsonObject, element);
    if (node === undefined) return false;
    if (Object.keys(node as JsonObject).length === 0) return true;
  }
  return true;
}

function step(element: string, value: JsonValue | undefined): JsonValue | undefined {
  const rest = element.slice(2);
  if (element.startsWith("f:")) {
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    return isMap ? ownKey(value, rest) : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const wanted = decodeJson(rest);
  if (element.startsWith("v:")) return value.find((each) => equalJson(each, wanted));
  if (element.startsWith("i:")) return value[Number(rest)];
  return value.find((each) =>
    Object.entries(wanted as JsonObject).every(([key, expected]) =>
      equalJson(ownKey(each as JsonObject, key) ?? null, expected),
    ),
  );
}
