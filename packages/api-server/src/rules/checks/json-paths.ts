/** JSONPath as kubectl and its relatives write it: `{.spec.containers[0].name}`. */

const DIGIT = /\p{Nd}/u;
const WORD = /[_\p{L}\p{Nd}]/u;
const TERMINATOR = /[ \t\r\n.,[\]$@{}]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
const DICT_KEY = /^'([^']*)'$/;
const SLICE = /^-?\d*(?::-?\d*)?(?::-?\d*)?$/;
const FILTER = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

class JsonPathError extends Error {
  override readonly name = "JsonPathError";
  readonly code = "json-path";
}

/** What is wrong with a template, in client-go's words; undefined where nothing is. */
export function problemWithJsonPath(template: string): string | undefined {
  try {
    new JsonPathReader(template).read();
    return undefined;
  } catch (error) {
    if (error instanceof JsonPathError) return error.message;
    throw error;
  }
}

class JsonPathReader {
  readonly #characters: readonly string[];
  #at = 0;
  #afterDescent = false;

  constructor(template: string) {
    this.#characters = Array.from(template);
  }

  /** Text, with actions in braces. */
  read(): void {
    while (this.#at < this.#characters.length) {
      const character = this.#next();
      if (character !== "{") continue;
      this.#afterDescent = false;
      while (this.#readStep());
    }
  }

  #next(): string | undefined {
    const character = this.#characters[this.#at];
    if (character !== undefined) this.#at += 1;
    return character;
  }

  #startsWith(text: string): boolean {
    return this.#characters.slice(this.#at, this.#at + text.length).join("") === text;
  }

  /** False at the end of the action. */
  #readStep(): boolean {
    if (this.#startsWith("..")) {
      this.#readDescent();
      return true;
    }
    const isFilter = this.#startsWith("[?(");
    const character = this.#next();
    if (character === "}") return false;
    if (character === undefined || character === "\n" || character === "\r") {
      throw new JsonPathError("unclosed action");
    }
    if (character === " " || character === "@" || character === "$") return true;
    this.#afterDescent = false;
    if (isFilter) this.#readFilter();
    else if (character === "[") this.#readArray();
    else if (character === '"' || character === "'") this.#readQuoted(character);
    else if (character === ".") this.#readName();
    else if (character === "+" || character === "-" || DIGIT.test(character)) {
      this.#readNumber(character);
    } else if (WORD.test(character)) this.#readName();
    else throw new JsonPathError(`unrecognized character in action: ${printCharacter(character)}`);
    return true;
  }

  #readDescent(): void {
    if (this.#afterDescent) throw new JsonPathError("invalid multiple recursive descent");
    this.#at += 2;
    this.#afterDescent = true;
    if (!WORD.test(this.#characters[this.#at] ?? "")) return;
    this.#readName();
    this.#afterDescent = false;
  }

  #readName(): void {
    for (;;) {
      const character = this.#characters[this.#at];
      if (character === undefined || TERMINATOR.test(character)) return;
      this.#at += character === "\\" ? 2 : 1;
    }
  }

  #readNumber(first: string): void {
    let text = first;
    for (;;) {
      const character = this.#characters[this.#at] ?? "";
      if (character !== "." && !DIGIT.test(character)) break;
      text += character;
      this.#at += 1;
    }
    if (!NUMBER.test(text)) throw new JsonPathError(`cannot parse number ${text}`);
  }

  #readQuoted(quote: string): void {
    for (;;) {
      const character = this.#next();
      if (character === undefined || character === "\n") {
        throw new JsonPathError("unterminated quoted string");
      }
      if (character === quote && this.#characters[this.#at - 2] !== "\\") return;
    }
  }

  #readArray(): void {
    let text = "";
    for (;;) {
      const character = this.#next();
      if (character === undefined || character === "\n") {
        throw new JsonPathError("unterminated array");
      }
      if (character === "]") break;
      text += character;
    }
    if (text === "*") return;
    const union = text.split(",");
    if (union.length > 1) {
      for (const part of union) readAction(`[${part.replace(/^ +| +$/g, "")}]`);
      return;
    }
    const key = DICT_KEY.exec(text)?.[1];
    if (key !== undefined) readAction(`.${key}`);
    else if (!SLICE.test(text)) throw new JsonPathError(`invalid array index ${text}`);
    else checkIndexes(text);
  }

  #readFilter(): void {
    this.#at += 2;
    let text = "";
    let quote: string | undefined;
    let isQuoteClosed = false;
    for (;;) {
      const character = this.#next();
      if (character === undefined || character === "\n") {
        throw new JsonPathError("unterminated filter");
      }
      if (character === '"' || character === "'") {
        if (quote === undefined) quote = character;
        else if (this.#characters[this.#at - 2] !== "\\" && character === quote) {
          isQuoteClosed = true;
        }
      } else if (character === ")" && (quote !== undefined) === isQuoteClosed) break;
      text += character;
    }
    if (this.#next() !== "]") throw new JsonPathError("unclosed array expect ]");
    const [, left, , right] = FILTER.exec(text) ?? [];
    readAction(left ?? text);
    if (right !== undefined) readAction(right);
  }
}

function readAction(text: string): void {
  new JsonPathReader(`{${text}}`).read();
}

function checkIndexes(text: string): void {
  for (const index of text.split(":")) {
    if (index === "-") {
      throw new JsonPathError(`array index ${index} is not a number`);
    }
  }
}

/** `U+0023 '#'`. */
function printCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character) ? `U+${code} '${character}'` : `U+${code}`;
}
