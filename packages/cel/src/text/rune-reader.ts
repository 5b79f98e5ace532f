import { AT, type PatternProgram, type RuneInstruction } from "./pattern-program.ts";

/** What assertions want to know of a character. */
export const KIND = { EDGE: 0, LINE_FEED: 1, WORD: 2, OTHER: 3 } as const;

/** Cells of all classes together: with more, characters are looked at anew each time. */
const MOST_CELLS = 1_000_000;

interface RuneClass {
  readonly id: number;
  readonly takes: Uint8Array;
  readonly kind: number;
}

/**
 * Sorts characters into classes that a program cannot tell apart, found when a character is first
 * read. `read` leaves what it found in the fields.
 */
export class RuneReader {
  /** Of the character: -1 where it has none because there are too many. Of the end of the text: 0. */
  id = 0;
  kind: number = KIND.EDGE;
  /** By matcher: 1 where it takes the character. */
  takes: Uint8Array;
  /** In code units. */
  width = 0;
  /** Tests of characters that were done: a measure of the time taken. */
  tests = 0;

  readonly #matchers: readonly RuneInstruction[];
  readonly #text: string;
  readonly #end: RuneClass;
  readonly #ascii: (RuneClass | undefined)[] = [];
  readonly #others = new Map<number, RuneClass>();
  readonly #known = new Map<string, RuneClass>();
  readonly #scratch: Uint8Array;

  constructor({ matchers }: PatternProgram, text: string) {
    this.#matchers = matchers;
    this.#text = text;
    this.#scratch = new Uint8Array(matchers.length);
    this.#end = { id: 0, takes: new Uint8Array(matchers.length), kind: KIND.EDGE };
    this.takes = this.#end.takes;
    for (let code = 0; code < 128; code++) this.#ascii.push(undefined);
  }

  read(at: number): void {
    if (at >= this.#text.length) {
      this.width = 0;
      this.#show(this.#end);
      return;
    }
    const unit = this.#text.charCodeAt(at);
    if (unit < 128) {
      this.width = 1;
      const known = this.#ascii[unit];
      if (known !== undefined) return this.#show(known);
    }
    const code = unit < 0xd800 ? unit : this.#text.codePointAt(at)!;
    this.width = code > 0xffff ? 2 : 1;
    const found = this.#others.get(code) ?? this.#classify(code);
    if (found !== undefined) this.#show(found);
  }

  /** The kind of what stands before this place. */
  kindBefore(at: number): number {
    return at === 0 ? KIND.EDGE : kindOf(this.#text.charCodeAt(at - 1));
  }

  #show({ id, takes, kind }: RuneClass): void {
    this.id = id;
    this.takes = takes;
    this.kind = kind;
  }

  #classify(code: number): RuneClass | undefined {
    const takes = this.#scratch;
    const kind = kindOf(code);
    let key = `${kind} `;
    this.tests += this.#matchers.length;
    for (let index = 0; index < takes.length; index++) {
      const taken = this.#matchers[index]!.matchRune(code);
      takes[index] = taken ? 1 : 0;
      if (taken) key += `${index} `;
    }
    let found = this.#known.get(key);
    if (found === undefined) {
      if ((this.#known.size + 1) * takes.length > MOST_CELLS) {
        this.id = -1;
        this.kind = kind;
        this.takes = takes;
        return undefined;
      }
      found = { id: this.#known.size + 1, takes: takes.slice(), kind };
      this.#known.set(key, found);
    }
    if (code < 128) this.#ascii[code] = found;
    else this.#others.set(code, found);
    return found;
  }
}

/** What holds between two characters of these kinds. */
export function placeBetween(before: number, after: number): number {
  let place = before === KIND.EDGE ? AT.TEXT_START | AT.LINE_START : 0;
  if (before === KIND.LINE_FEED) place |= AT.LINE_START;
  if (after === KIND.EDGE) place |= AT.TEXT_END | AT.LINE_END;
  if (after === KIND.LINE_FEED) place |= AT.LINE_END;
  const isEdge = (before === KIND.WORD) !== (after === KIND.WORD);
  return place | (isEdge ? AT.WORD_EDGE : AT.NO_WORD_EDGE);
}

function kindOf(code: number): number {
  if (code === 10) return KIND.LINE_FEED;
  const isWord =
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95;
  return isWord ? KIND.WORD : KIND.OTHER;
}
