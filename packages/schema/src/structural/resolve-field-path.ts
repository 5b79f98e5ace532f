import type { StructuralSchema } from "./structural-schema.ts";

export type ResolvedFieldPath =
  | {
      readonly ok: true;
      /** As errors print it: `spec.labels[app]`. */
      readonly path: string;
      readonly firstName: string;
      /** Undefined where nothing is said of the values there. */
      readonly schema: StructuralSchema | undefined;
    }
  | { readonly ok: false; readonly problem: string };

/**
 * Follows a path that a definition names, `.spec.replicas` or `.spec['my.key']`, through a schema.
 * Lists have no steps.
 */
export function resolveFieldPath(
  text: string,
  schema: StructuralSchema,
  { brackets = true }: { readonly brackets?: boolean } = {},
): ResolvedFieldPath {
  const tokens = tokensOf(text);
  let current: StructuralSchema | undefined = schema;
  let path = "";
  let firstName: string | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const opening = tokens[at]!;
    if (opening !== "." && opening !== "[") return failed(`expected [ or . but got: ${opening}`);
    if (opening === "[" && !brackets) return failed("array notation is not allowed");
    const token = tokens[++at];
    if (token === undefined) return failed("unexpected end of JSON path");
    const name: string | undefined | { problem: string } =
      opening === "." ? token : unquoted(token);
    if (typeof name !== "string") return failed(name.problem);
    const isNamed: boolean = (current?.properties.size ?? 0) > 0;
    if (!isNamed && current?.additionalProperties === undefined) {
      return failed("does not refer to a valid field");
    }
    if (isNamed) {
      path += path === "" ? name : `.${name}`;
      current = current?.properties.get(name);
      if (current === undefined) return failed("does not refer to a valid field");
    } else {
      path += `[${name}]`;
      current = current?.additionalSchema;
    }
    firstName ??= isNamed ? name : `[${name}]`;
    if (opening === "[") {
      const closing = tokens[++at];
      if (closing === undefined) return failed("unexpected end of JSON path");
      if (closing !== "]") return failed(`expected ] but got ${closing}`);
    }
  }
  return { ok: true, path, firstName: firstName ?? "", schema: current };
}

function failed(problem: string): ResolvedFieldPath {
  return { ok: false, problem };
}

/** Points, brackets, texts in single quotes, and what stands between them. */
function tokensOf(text: string): string[] {
  return text.match(/'(?:[^'\\]|\\.|\\$)*'?|[.[\]]|[^.[\]']+[^.[\]]*/gs) ?? [];
}

function unquoted(token: string): string | { problem: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { problem: `expected single quoted string but got ${token}` };
  }
  let wrong: string | undefined;
  const text = token.slice(1, -1).replaceAll(/\\./g, (escape) => {
    const character = ESCAPES[escape[1]!];
    if (character === undefined) wrong = escape;
    return character ?? "";
  });
  if (wrong === undefined) return text;
  return { problem: `invalid string literal: invalid escape char ${wrong}` };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};
