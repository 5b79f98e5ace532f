import type { UserInfo } from "@homeostat/object-model/authentication-v1";

/** Who a token belongs to that does not change while the server runs. */
export type StaticTokens = ReadonlyMap<string, UserInfo>;

/** A text that is no token file. */
export class TokenFileError extends Error {
  override readonly name = "TokenFileError";
  readonly code = "token-file";
}

/**
 * The lines of a token file: `token,user,uid` and, as a fourth and quoted column, groups:
 * `31ada4fd,alice,u-1,"dev,ops"`. The last of equal tokens counts; records without a token are left out.
 */
export function parseTokenFile(text: string): StaticTokens {
  const tokens = new Map<string, UserInfo>();
  for (const [token = "", username = "", uid = "", groups] of records(text)) {
    if (token === "") continue;
    tokens.set(token, {
      username,
      uid,
      ...(groups === undefined ? {} : { groups: groups.split(",") }),
    });
  }
  return tokens;
}

function* records(text: string): Generator<readonly string[]> {
  const reader = new CsvReader(text);
  for (let record = reader.next(); record !== undefined; record = reader.next()) {
    if (record.length < 3) {
      throw new TokenFileError(
        `line ${reader.line} must have at least 3 columns (token, user name, user uid), found ${record.length}`,
      );
    }
    yield record;
  }
}

/** RFC 4180 as Go reads it: empty lines are no records, a quote belongs at the start of a field. */
class CsvReader {
  readonly #text: string;
  #at = 0;
  /** Of the record read last. */
  line = 0;
  #lines = 1;

  constructor(text: string) {
    this.#text = text.replaceAll("\r\n", "\n").replace(/\r$/, "");
  }

  next(): readonly string[] | undefined {
    while (this.#text[this.#at] === "\n") this.#pass(1);
    if (this.#at >= this.#text.length) return undefined;
    this.line = this.#lines;
    const fields = [this.#field()];
    while (this.#text[this.#at] === ",") {
      this.#pass(1);
      fields.push(this.#field());
    }
    if (this.#at < this.#text.length) this.#pass(1);
    return fields;
  }

  #field(): string {
    if (this.#text[this.#at] === '"') return this.#quoted();
    const end = /[,\n]|$/g;
    end.lastIndex = this.#at;
    const until = end.exec(this.#text)!.index;
    const field = this.#text.slice(this.#at, until);
    if (field.includes('"')) throw this.#fail('a " inside a field that is not quoted');
    this.#pass(until - this.#at);
    return field;
  }

  #quoted(): string {
    this.#pass(1);
    let field = "";
    for (;;) {
      const quote = this.#text.indexOf('"', this.#at);
      if (quote < 0) throw this.#fail('a quoted field without its closing "');
      field += this.#text.slice(this.#at, quote);
      this.#pass(quote - this.#at + 1);
      const after = this.#text[this.#at] ?? "\n";
      if (after === "," || after === "\n") return field;
      if (after !== '"') throw this.#fail('text behind the closing " of a field');
      field += '"';
      this.#pass(1);
    }
  }

  #pass(count: number): void {
    const end = this.#at + count;
    for (; this.#at < end; this.#at++) if (this.#text[this.#at] === "\n") this.#lines++;
  }

  #fail(problem: string): TokenFileError {
    return new TokenFileError(`line ${this.#lines}: ${problem}`);
  }
}
