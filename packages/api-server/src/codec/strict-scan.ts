import type { ObjectSchema } from "@homeostat/object-model";
import type { FieldPlan, ObjectPlan } from "./object-plan.ts";
import { planOf } from "./object-plan.ts";

export interface StrictFinding {
  readonly what: "duplicate" | "unknown";
  readonly path: string;
}

/**
 * The unknown and the duplicate fields of a JSON text in the order they stand there, which a decoded
 * value no longer shows. The text must be one that readObject has read.
 */
export function scanStrictly(
  schema: ObjectSchema,
  text: string | Uint8Array,
): Iterable<StrictFinding> {
  const whole = typeof text === "string" ? text : new TextDecoder().decode(text);
  return new StrictScan(whole).struct(planOf(schema), "");
}

/** The same of a JSON patch: a list of operations with these fields, their values free. */
export function scanOperations(
  text: string | Uint8Array,
  fields: ReadonlySet<string>,
): Iterable<StrictFinding> {
  const whole = typeof text === "string" ? text : new TextDecoder().decode(text);
  return new StrictScan(whole).operations(fields);
}

const SPACE = /[ \t\r\n]*/y;
/** Up to and with the next thing that opens or closes something, or is a string. */
const TOKEN = /[^"{}[\]]*(?:[{}[\]]|(?="))/y;
const LITERAL = /[^\s,\]}]*/y;

class StrictScan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *struct(plan: ObjectPlan, path: string): Iterable<StrictFinding> {
    const seen = new Set<string>();
    for (const key of this.#keys()) {
      const inner = path === "" ? key : `${path}.${key}`;
      const field = plan.fields.get(key);
      if (field === undefined) {
        yield { what: "unknown", path: inner };
        this.#skipValue();
        continue;
      }
      if (seen.has(key)) yield { what: "duplicate", path: inner };
      seen.add(key);
      yield* this.#field(field, inner);
    }
  }

  *operations(fields: ReadonlySet<string>): Iterable<StrictFinding> {
    let index = 0;
    for (const _ of this.#items()) {
      if (this.#peek() === "{") yield* this.#freeObject(`[${index}]`, fields);
      else this.#skipValue();
      index++;
    }
  }

  /** Whatever is in it; where its fields are named, others are unknown. */
  *#freeObject(path: string, fields?: ReadonlySet<string>): Iterable<StrictFinding> {
    const seen = new Set<string>();
    for (const key of this.#keys()) {
      const inner = `${path}.${key}`;
      if (fields?.has(key) === false) {
        yield { what: "unknown", path: inner };
        this.#skipValue();
        continue;
      }
      if (seen.has(key)) yield { what: "duplicate", path: inner };
      seen.add(key);
      yield* this.#free(inner);
    }
  }

  *#free(path: string): Iterable<StrictFinding> {
    const opening = this.#peek();
    if (opening === "{") yield* this.#freeObject(path);
    else if (opening === "[") {
      let index = 0;
      for (const _ of this.#items()) {
        yield* this.#free(`${path}[${index}]`);
        index++;
      }
    } else this.#skipValue();
  }

  *#field(field: FieldPlan, path: string): Iterable<StrictFinding> {
    const opening = this.#peek();
    if (field.shape === "list" && opening === "[") {
      let index = 0;
      for (const _ of this.#items()) {
        yield* this.#value(field, `${path}[${index}]`);
        index++;
      }
    } else if (field.shape === "map" && opening === "{") {
      const seen = new Set<string>();
      for (const key of this.#keys()) {
        const inner = `${path}.${key}`;
        if (seen.has(key)) yield { what: "duplicate", path: inner };
        seen.add(key);
        yield* this.#value(field, inner);
      }
    } else if (field.shape === "single") yield* this.#value(field, path);
    else this.#skipValue();
  }

  /** Strict reading ends at types that read themselves: only structs are looked into. */
  *#value(field: FieldPlan, path: string): Iterable<StrictFinding> {
    if (field.kind === "object" && this.#peek() === "{") yield* this.struct(field.plan, path);
    else this.#skipValue();
  }

  /** The keys of the object that begins here; whoever takes one must move past its value. */
  *#keys(): Iterable<string> {
    for (const _ of this.#items()) {
      const key = JSON.parse(this.#takeString()) as string;
      this.#peek();
      this.#at++;
      yield key;
    }
  }

  *#items(): Iterable<void> {
    this.#peek();
    this.#at++;
    for (let next = this.#peek(); next !== "]" && next !== "}"; next = this.#peek()) {
      if (next === ",") {
        this.#at++;
        this.#peek();
      }
      yield;
    }
    this.#at++;
  }

  #skipValue(): void {
    const first = this.#peek();
    if (first === '"') this.#takeString();
    else if (first !== "{" && first !== "[") this.#take(LITERAL);
    else {
      let open = 0;
      do {
        const token = this.#take(TOKEN);
        if (token.endsWith("{") || token.endsWith("[")) open++;
        else if (token.endsWith("}") || token.endsWith("]")) open--;
        else this.#takeString();
      } while (open > 0);
    }
  }

  /** The next character that is no space; "" at the end. */
  #peek(): string {
    this.#take(SPACE);
    return this.#text.charAt(this.#at);
  }

  #takeString(): string {
    const from = this.#at;
    let end = from;
    do end = this.#text.indexOf('"', end + 1);
    while (this.#isEscaped(end));
    this.#at = end + 1;
    return this.#text.slice(from, this.#at);
  }

  #isEscaped(at: number): boolean {
    let backslashes = 0;
    while (this.#text.charAt(at - 1 - backslashes) === "\\") backslashes++;
    return backslashes % 2 === 1;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [taken = ""] = pattern.exec(this.#text) ?? [];
    this.#at += taken.length;
    return taken;
  }
}
