/**
 * Names of fields in expressions. A JSON name may hold characters that a name in CEL may not, or be a
 * word of the language; Kubernetes writes these as `__dash__`, `__namespace__` and so on.
 */
const RESERVED: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["__", "__underscores__"],
  [".", "__dot__"],
  ["-", "__dash__"],
  ["/", "__slash__"],
]);
const UNESCAPES: ReadonlyMap<string, string> = new Map(
  [...ESCAPES].map(([plain, escaped]) => [escaped, plain]),
);

export function isReservedName(name: string): boolean {
  return RESERVED.has(name);
}

/** Undefined for names that have no form in CEL: such a field cannot be selected. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[./-]/g, (part) => ESCAPES.get(part) ?? part);
}

/** Undefined for what `escapeName` never gives. */
export function unescapeName(escaped: string): string | undefined {
  let valid = true;
  const name = escaped.replaceAll(/__[^_]+__/g, (part) => {
    const plain = UNESCAPES.get(part);
    if (plain !== undefined) return plain;
    const word = part.slice(2, -2);
    if (!RESERVED.has(word) || part.length !== escaped.length) valid = false;
    return word;
  });
  return valid ? name : undefined;
}
