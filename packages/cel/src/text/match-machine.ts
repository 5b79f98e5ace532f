import { OP, type PatternProgram } from "./pattern-program.ts";
import { KIND, placeBetween, RuneReader } from "./rune-reader.ts";
import { STEPS_PER_SLICE, type WorkSteps } from "./work-steps.ts";

/** The places in the program where a match may be, at one place of the text, and where they lead. */
interface State {
  readonly seeds: Int32Array;
  /** The kind of the character before. */
  readonly before: number;
  /** By class of the next character. */
  readonly next: (State | undefined)[];
}

/** All states together hold so many places at most. */
const MOST_PLACES = 20_000;
/** Making states is worth it where each is used so many times. */
const USES_PER_STATE = 10;

/**
 * Whether a text holds a match: it follows all ways through the program at once. Sets of places that
 * were seen before are remembered with what follows them, so that most characters cost one
 * look-up; where nearly every set is new, the rest of the text is followed without remembering.
 *
 * One machine tests one text. Between two steps it holds all of its state.
 */
export class MatchMachine {
  readonly #program: PatternProgram;
  readonly #reader: RuneReader;
  readonly #text: string;
  readonly #stack: number[] = [];
  /** By place in the program: when it was last visited, and last added. */
  readonly #visited: Uint32Array;
  readonly #added: Uint32Array;
  #stamp = 0;
  #states = new Map<string, State>();
  #placesLeft = MOST_PLACES;
  #work = 0;
  /** The next seeds, as `#advance` leaves them. */
  #next: Int32Array;
  #nextCount = 0;

  constructor(program: PatternProgram, text: string) {
    this.#program = program;
    this.#text = text;
    this.#reader = new RuneReader(program, text);
    this.#visited = new Uint32Array(program.size);
    this.#added = new Uint32Array(program.size);
    this.#next = new Int32Array(program.size + 1);
  }

  *test(): WorkSteps<boolean> {
    const reader = this.#reader;
    const length = this.#text.length;
    let state = this.#stateOf(Int32Array.of(this.#program.start), KIND.EDGE)!;
    let resetAt = 0;
    for (let at = 0; at <= length; at += reader.width || 1) {
      if (state.seeds.length === 0) return false;
      reader.read(at);
      const known = reader.id < 0 ? undefined : state.next[reader.id];
      if (known === undefined) {
        if (!this.#advance(state.seeds, state.seeds.length, state.before)) return true;
        const { id, kind } = reader;
        const seeds = this.#next.slice(0, this.#nextCount).sort();
        let next = this.#stateOf(seeds, kind);
        if (next === undefined) {
          if (at - resetAt < USES_PER_STATE * this.#states.size) {
            return yield* this.#testRest(seeds, kind, at + (reader.width || 1));
          }
          resetAt = at;
          this.#states = new Map();
          this.#placesLeft = MOST_PLACES;
          next = this.#stateOf(seeds, kind)!;
        } else if (id >= 0) state.next[id] = next;
        state = next;
      } else state = known;
      this.#work++;
      if (this.#work < STEPS_PER_SLICE) continue;
      this.#work = 0;
      yield;
    }
    return false;
  }

  *#testRest(start: Int32Array, startKind: number, from: number): WorkSteps<boolean> {
    const reader = this.#reader;
    const length = this.#text.length;
    let seeds: Int32Array = new Int32Array(this.#program.size + 1);
    seeds.set(start);
    let count = start.length;
    let before = startKind;
    this.#states = new Map();
    for (let at = from; at <= length && count > 0; at += reader.width || 1) {
      reader.read(at);
      if (!this.#advance(seeds, count, before)) return true;
      const spare = seeds;
      seeds = this.#next;
      count = this.#nextCount;
      this.#next = spare;
      before = reader.kind;
      if (this.#work < STEPS_PER_SLICE) continue;
      this.#work = 0;
      yield;
    }
    return false;
  }

  /** Undefined where there is no room for one more. */
  #stateOf(seeds: Int32Array, kind: number): State | undefined {
    const before = this.#program.hasAssertions ? kind : KIND.OTHER;
    const key = `${before} ${seeds.join()}`;
    this.#work += seeds.length * 10;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#placesLeft < 0) return undefined;
    this.#placesLeft -= seeds.length + 10;
    const state = { seeds, before, next: [] };
    this.#states.set(key, state);
    return state;
  }

  /** Over the character that was read; false where a match ends before it. */
  #advance(seeds: Int32Array, count: number, before: number): boolean {
    const { ops, outs, args, start, isTied, hasAssertions } = this.#program;
    const { takes, kind, tests } = this.#reader;
    const place = hasAssertions ? placeBetween(before, kind) : 0;
    const visited = this.#visited;
    const added = this.#added;
    const next = this.#next;
    const stack = this.#stack;
    const stamp = ++this.#stamp;
    let found = 0;
    let work = count + tests;
    this.#reader.tests = 0;
    for (let index = 0; index < count; index++) {
      let pc = seeds[index]!;
      for (;;) {
        if (visited[pc] !== stamp) {
          visited[pc] = stamp;
          work++;
          const op = ops[pc];
          if (op === OP.RUNE) {
            const out = outs[pc]!;
            if (takes[args[pc]!] === 1 && added[out] !== stamp) {
              added[out] = stamp;
              next[found++] = out;
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
            stack.length = 0;
            return false;
          }
        }
        if (stack.length === 0) break;
        pc = stack.pop()!;
      }
    }
    if (!isTied && kind !== KIND.EDGE && added[start] !== stamp) next[found++] = start;
    this.#nextCount = found;
    this.#work += work;
    return true;
  }
}
