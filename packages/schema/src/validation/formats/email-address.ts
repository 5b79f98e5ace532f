/**
 * Whether Go's mail.ParseAddress takes the text: `ada@example.com`, or with a display name
 * `Ada <ada@example.com>`; comments in parentheses may stand between the parts.
 */
export function isEmailAddress(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.readAddress();
}

/**
 * Atoms of RFC 5322 and anything beyond ASCII. Between two of them may be spaces, and a point as in "Ada
 * L. Byron", which old mail has.
 */
const ATOMS =
  /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\uffff](?:\.?[ \t]*[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\uffff])*\.?/;

class AddressReader {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  readAddress(): boolean {
    this.#skipSpace();
    if (this.#rest === "") return false;
    const beginning = this.#rest;
    if (this.#readAddrSpec()) return this.#isAtEnd();
    this.#rest = beginning;
    this.#readPhrase();
    this.#skipSpace();
    if (!this.#take("<")) return false;
    this.#skipSpace();
    return this.#readAddrSpec() && this.#takeAfterSpace(">") && this.#isAtEnd();
  }

  #isAtEnd(): boolean {
    return this.#skipSpace() && this.#rest === "";
  }

  #takeAfterSpace(char: string): boolean {
    this.#skipSpace();
    return this.#take(char);
  }

  #take(char: string): boolean {
    if (!this.#rest.startsWith(char)) return false;
    this.#rest = this.#rest.slice(1);
    return true;
  }

  /** The local part, an at sign, and the domain. */
  #readAddrSpec(): boolean {
    const local = this.#rest.startsWith('"') ? this.#readQuoted() : this.#readDotAtom();
    if (!local || !this.#take("@")) return false;
    this.#skipSpace();
    return this.#rest.startsWith("[") ? this.#readDomainLiteral() : this.#readDotAtom();
  }

  #readDotAtom(): boolean {
    const match = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.\u0080-\uffff]+/.exec(this.#rest);
    if (match === null) return false;
    const [atom] = match;
    if (atom.startsWith(".") || atom.endsWith(".") || atom.includes("..")) return false;
    this.#rest = this.#rest.slice(atom.length);
    return true;
  }

  #readDomainLiteral(): boolean {
    const match = /^\[([0-9a-fA-F:.]+)\]/.exec(this.#rest);
    if (match === null) return false;
    this.#rest = this.#rest.slice(match[0].length);
    return true;
  }

  #readQuoted(): boolean {
    const match = /^"((?:[^"\\\r\n]|\\[^\r\n])*)"/.exec(this.#rest);
    if (match === null || match[1] === "") return false;
    this.#rest = this.#rest.slice(match[0].length);
    return true;
  }

  #readPhrase(): void {
    for (;;) {
      this.#skipSpace();
      if (this.#rest.startsWith('"')) {
        if (!this.#readQuoted()) return;
        continue;
      }
      // In one go: a long text may be a million of them.
      const match = ATOMS.exec(this.#rest);
      if (match === null) return;
      this.#rest = this.#rest.slice(match[0].length);
    }
  }

  /** Spaces and comments. False where a comment does not end. */
  #skipSpace(): boolean {
    for (;;) {
      this.#rest = this.#rest.replace(/^[ \t]+/, "");
      if (!this.#rest.startsWith("(")) return true;
      const end = commentEnd(this.#rest);
      if (end < 0) return false;
      this.#rest = this.#rest.slice(end);
    }
  }
}

function commentEnd(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at + 1;
  }
  return -1;
}
