import { OP, type PatternProgram } from "./pattern-program.ts";
import { placeBetween, RuneReader } from "./rune-reader.ts";
import { STEPS_PER_SLICE, type WorkSteps } from "./work-steps.ts";

export interface FoundMatch {
  readonly start: number;
  readonly end: number;
}

/** Ways through the program in the order in which they are preferred, and where each began. */
class Threads {
  readonly pcs: Int32Array;
  readonly starts: Int32Array;
  count = 0;

  constructor(size: number) {
    this.pcs = new Int32Array(size);
    this.starts = new Int32Array(size);
  }

  add(pc: number, start: number): void {
    this.pcs[this.count] = pc;
    this.starts[this.count] = start;
    this.count++;
  }
}

/**
 * Where matches are: the leftmost, and of those the one that Perl would find first. It follows all ways
 * at once; one machine searches one text, and between two steps holds all of its state.
 */
export class FindMachine {
  readonly #program: PatternProgram;
  readonly #reader: RuneReader;
  readonly #text: string;
  readonly #stack: number[] = [];
  readonly #visited: Uint32Array;
  readonly #added: Uint32Array;
  #stamp = 0;
  #now: Threads;
  #next: Threads;
  #work = 0;
  #found: FoundMatch | undefined;

  constructor(program: PatternProgram, text: string) {
    this.#program = program;
    this.#text = text;
    this.#reader = new RuneReader(program, text);
    this.#visited = new Uint32Array(program.size);
    this.#added = new Uint32Array(program.size);
    this.#now = new Threads(program.size + 1);
    this.#next = new Threads(program.size + 1);
  }

  /** The first match that begins at `from` or behind it. */
  *find(from: number): WorkSteps<FoundMatch | undefined> {
    const { start, isTied } = this.#program;
    const reader = this.#reader;
    let before = reader.kindBefore(from);
    this.#found = undefined;
    this.#now.count = 0;
    for (let at = from; at <= this.#text.length; at += reader.width || 1) {
      if (this.#found === undefined && (at === 0 || !isTied)) this.#now.add(start, at);
      if (this.#now.count === 0) break;
      reader.read(at);
      this.#advance(at, before);
      before = reader.kind;
      if (this.#work < STEPS_PER_SLICE) continue;
      this.#work = 0;
      yield;
    }
    return this.#found;
  }

  /** From left to right, at most `limit`; an empty match right behind another one is none. */
  *findAll(limit: number): WorkSteps<string[]> {
    const all: string[] = [];
    let lastEnd = -1;
    let at = 0;
    while (at <= this.#text.length && all.length < limit) {
      const match = yield* this.find(at);
      if (match === undefined) break;
      const isEmpty = match.start === match.end;
      if (!isEmpty || match.start !== lastEnd) all.push(this.#text.slice(match.start, match.end));
      lastEnd = match.end;
      at = match.end;
      if (isEmpty) {
        this.#reader.read(at);
        at += this.#reader.width || 1;
      }
      // What a search costs however soon it ends.
      this.#work += 20;
    }
    return all;
  }

  /** Over the character that was read. Ways less preferred than one that matches are given up. */
  #advance(at: number, before: number): void {
    const { ops, outs, args, hasAssertions } = this.#program;
    const { takes, kind, tests } = this.#reader;
    const place = hasAssertions ? placeBetween(before, kind) : 0;
    const visited = this.#visited;
    const added = this.#added;
    const stack = this.#stack;
    const stamp = ++this.#stamp;
    const now = this.#now;
    const next = this.#next;
    let work = now.count * 2 + tests;
    this.#reader.tests = 0;
    next.count = 0;
    threads: for (let index = 0; index < now.count; index++) {
      const begun = now.starts[index]!;
      let pc = now.pcs[index]!;
      for (;;) {
        if (visited[pc] !== stamp) {
          visited[pc] = stamp;
          work++;
          const op = ops[pc];
          if (op === OP.RUNE) {
            const out = outs[pc]!;
            if (takes[args[pc]!] === 1 && added[out] !== stamp) {
              added[out] = stamp;
              next.add(out, begun);
            }
          } else if (op === OP.SPLIT) {
            stack.push(args[pc]!);
            pc = outs[pc]!;
            continue;
          } else if (op === OP.ASSERT) {
            if ((args[pc]! & ~place) === 0) {
              pc = outs[pc]!;
              continue;
            }
          } else if (op === OP.MATCH) {
            this.#found = { start: begun, end: at };
            stack.length = 0;
            break threads;
          }
        }
        if (stack.length === 0) break;
        pc = stack.pop()!;
      }
    }
    this.#now = next;
    this.#next = now;
    this.#work += work;
  }
}
