import { ApiError } from "@homeostat/object-model";

/** The parameters of a URL, decoded; a parameter may be given more than once. */
export class Query {
  static readonly empty: Query = new Query(new Map());
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** `a=1&b=%20x`; as Go has it, a part that cannot be unescaped or holds a semicolon is left out. */
  static parse(text: string): Query {
    if (text === "") return Query.empty;
    const values = new Map<string, string[]>();
    for (const part of text.split("&")) {
      if (part === "" || part.includes(";")) continue;
      const equals = part.indexOf("=");
      const name = unescape(equals < 0 ? part : part.slice(0, equals));
      const value = equals < 0 ? "" : unescape(part.slice(equals + 1));
      if (name === undefined || value === undefined) continue;
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else known.push(value);
    }
    return new Query(values);
  }

  static of(record: Readonly<Record<string, string | readonly string[]>> | undefined): Query {
    if (record === undefined) return Query.empty;
    const values = new Map<string, readonly string[]>();
    for (const [name, value] of Object.entries(record)) {
      values.set(name, typeof value === "string" ? [value] : value);
    }
    return new Query(values);
  }

  /** For a request through the door. */
  toRecord(): Record<string, readonly string[]> {
    return Object.fromEntries(this.#values);
  }

  /** The first value; "" when absent. */
  get(name: string): string {
    return this.#values.get(name)?.[0] ?? "";
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** As strconv.ParseInt reads a parameter that is given; undefined when it is not. */
  integer(name: string): number | undefined {
    const text = this.#values.get(name)?.[0];
    if (text === undefined) return undefined;
    const value = /^[+-]?[0-9]+$/.test(text) ? BigInt(text.replace(/^\+/, "")) : undefined;
    if (value !== undefined && BigInt.asIntN(64, value) === value) return Number(value);
    const what = value === undefined ? "invalid syntax" : "value out of range";
    throw ApiError.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${what}`);
  }

  /** As Go reads booleans in options: absent or empty is unset, and anything but 0 and false is true. */
  flag(name: string): boolean | undefined {
    const value = this.#values.get(name)?.[0];
    if (value === undefined) return undefined;
    return value !== "0" && value.toLowerCase() !== "false";
  }
}

/** Undefined where an escape is none. Bytes that are no UTF-8 become U+FFFD. */
function unescape(text: string): string | undefined {
  if (!text.includes("%") && !text.includes("+")) return text;
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined;
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    const bytes = spaced.replaceAll(/%(..)/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(bytes, "latin1").toString();
  }
}
