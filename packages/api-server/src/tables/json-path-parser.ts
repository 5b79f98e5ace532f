import type { PathStep, SliceBounds } from "./json-path.ts";

const WORD = /[_\p{L}\p{Nd}]/u;
const TERMINATOR = /[ \t\r\n.,[\]$@{}]/;
const DICT_KEY = /^'([^']*)'$/;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const FILTER = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

/** Reads the inside of an action, as it stands in a column: `.spec.replicas`. */
export class JsonPathParser {
  readonly #characters: readonly string[];
  readonly #steps: PathStep[] = [];
  #at = 0;

  constructor(text: string) {
    this.#characters = Array.from(text);
  }

  /** Undefined for a text that is no path. */
  parse(): readonly PathStep[] | undefined {
    while (this.#at < this.#characters.length) if (!this.#readStep()) return undefined;
    return this.#steps;
  }

  #startsWith(text: string): boolean {
    return this.#characters.slice(this.#at, this.#at + text.length).join("") === text;
  }

  /** False where nothing can be read. */
  #readStep(): boolean {
    if (this.#startsWith("[?(")) return this.#readFilter();
    if (this.#startsWith("..")) return this.#readDescent();
    const character = this.#characters[this.#at]!;
    switch (character) {
      case " ":
      case "@":
      case "$":
        this.#at += 1;
        return true;
      case "[":
        return this.#readArray();
      case '"':
      case "'":
        return this.#readQuoted(character);
      case ".":
        this.#at += 1;
        return this.#readField();
      default:
        if (/[+\-\p{Nd}]/u.test(character)) return this.#readNumber();
        return WORD.test(character) && this.#readWord();
    }
  }

  #readDescent(): boolean {
    if (this.#steps.at(-1)?.kind === "descent") return false;
    this.#at += 2;
    this.#steps.push({ kind: "descent" });
    return WORD.test(this.#characters[this.#at] ?? "") ? this.#readField() : true;
  }

  #readName(): string {
    let name = "";
    for (; this.#at < this.#characters.length; this.#at++) {
      let character = this.#characters[this.#at]!;
      if (character === "\\") character = this.#characters[++this.#at] ?? "";
      else if (TERMINATOR.test(character)) break;
      name += character;
    }
    return name;
  }

  #readField(): boolean {
    const from = this.#at;
    const name = this.#readName();
    const isWildcard = name === "*" && this.#at === from + 1;
    this.#steps.push(isWildcard ? { kind: "wildcard" } : { kind: "field", name });
    return true;
  }

  #readWord(): boolean {
    const name = this.#readName();
    if (name === "true" || name === "false") {
      this.#steps.push({ kind: "literal", value: name === "true" });
    } else this.#steps.push({ kind: "identifier", name });
    return true;
  }

  #readNumber(): boolean {
    let text = this.#characters[this.#at++]!;
    while (/[.\p{Nd}]/u.test(this.#characters[this.#at] ?? ""))
      text += this.#characters[this.#at++]!;
    const value = Number(text);
    if (Number.isNaN(value)) return false;
    this.#steps.push({ kind: "literal", value });
    return true;
  }

  #readQuoted(quote: string): boolean {
    let text = "";
    for (this.#at += 1; this.#at < this.#characters.length; this.#at++) {
      const character = this.#characters[this.#at]!;
      if (character === quote) {
        this.#at += 1;
        this.#steps.push({ kind: "literal", value: text });
        return true;
      }
      text += character === "\\" ? (this.#characters[++this.#at] ?? "") : character;
    }
    return false;
  }

  #readArray(): boolean {
    const end = this.#characters.indexOf("]", this.#at);
    if (end < 0) return false;
    const inside = this.#characters.slice(this.#at + 1, end).join("");
    this.#at = end + 1;
    const union = inside.split(",");
    if (union.length > 1) {
      const paths: (readonly PathStep[])[] = [];
      for (const part of union) {
        const path = new JsonPathParser(`[${part.replace(/^ +| +$/g, "")}]`).parse();
        if (path === undefined) return false;
        paths.push(path);
      }
      this.#steps.push({ kind: "union", paths });
      return true;
    }
    const key = DICT_KEY.exec(inside)?.[1];
    if (key === undefined) return this.#pushSlice(inside === "*" ? ":" : inside);
    const path = new JsonPathParser(`.${key}`).parse();
    if (path === undefined) return false;
    this.#steps.push(...path);
    return true;
  }

  #pushSlice(text: string): boolean {
    const match = SLICE.exec(text);
    if (match === null) return false;
    const [start, end, step] = [match[1], match[2]?.slice(1), match[3]?.slice(1)].map((part) =>
      part === undefined || part === "" ? undefined : Number(part),
    );
    if ([start, end, step].some((part) => part !== undefined && Number.isNaN(part))) return false;
    const bounds: SliceBounds = { start, end, isIndex: match[2] === undefined, step };
    this.#steps.push({ kind: "slice", bounds });
    return true;
  }

  /** Quotes hide what would end the filter. */
  #readFilter(): boolean {
    this.#at += 3;
    let text = "";
    let quote: string | undefined;
    for (; ; this.#at++) {
      const character = this.#characters[this.#at];
      if (character === undefined) return false;
      const isEscaped = this.#characters[this.#at - 1] === "\\";
      if (quote === undefined) {
        if (character === ")") break;
        if (character === '"' || character === "'") quote = character;
      } else if (character === quote && !isEscaped) quote = undefined;
      text += character;
    }
    if (this.#characters[this.#at + 1] !== "]") return false;
    this.#at += 2;
    const [, before, operator = "exists", after = ""] = FILTER.exec(text) ?? [];
    const left = new JsonPathParser(before ?? text).parse();
    const right = new JsonPathParser(after).parse();
    if (left === undefined || right === undefined) return false;
    this.#steps.push({ kind: "filter", left, operator, right });
    return true;
  }
}
