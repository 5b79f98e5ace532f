/**
 * A pattern as the small program that RE2 compiles it to, in arrays: what the machines of this folder
 * run, which unlike the library's own can stop in the middle of a long text.
 */

/** One instruction as `re2js` has it. */
export interface RuneInstruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array;
  matchRune(rune: number): boolean;
}

export interface CompiledProgram {
  readonly inst: readonly RuneInstruction[];
  readonly start: number;
}

/** What an instruction does; `RUNE` covers all that take a character. */
export const OP = { FAIL: 0, SPLIT: 1, ASSERT: 2, MATCH: 3, RUNE: 4 } as const;

/** What assertions ask about a place, as bits. */
export const AT = {
  LINE_START: 1,
  LINE_END: 2,
  TEXT_START: 4,
  TEXT_END: 8,
  WORD_EDGE: 16,
  NO_WORD_EDGE: 32,
} as const;

export class PatternProgram {
  readonly size: number;
  readonly start: number;
  /** Matches begin at the beginning of the text only. */
  readonly isTied: boolean;
  readonly hasAssertions: boolean;
  readonly ops: Uint8Array;
  readonly outs: Int32Array;
  /** Of SPLIT the second way, of ASSERT what it asks, of RUNE the number of its matcher. */
  readonly args: Int32Array;
  /** What the RUNE instructions take, each different one once. */
  readonly matchers: readonly RuneInstruction[];

  constructor({ inst, start }: CompiledProgram) {
    this.size = inst.length;
    this.ops = new Uint8Array(inst.length);
    this.outs = new Int32Array(inst.length);
    this.args = new Int32Array(inst.length);
    const matchers = new Map<string, number>();
    const found: RuneInstruction[] = [];
    for (const [pc, instruction] of inst.entries()) {
      const op = opOf(instruction);
      this.ops[pc] = op;
      this.outs[pc] = skipped(inst, instruction.out);
      if (op === OP.SPLIT) this.args[pc] = skipped(inst, instruction.arg);
      if (op === OP.ASSERT) this.args[pc] = instruction.arg;
      if (op !== OP.RUNE) continue;
      const key = `${instruction.op} ${instruction.arg} ${instruction.runes.join()}`;
      let matcher = matchers.get(key);
      if (matcher === undefined) {
        matcher = found.push(instruction) - 1;
        matchers.set(key, matcher);
      }
      this.args[pc] = matcher;
    }
    this.matchers = found;
    this.start = skipped(inst, start);
    this.hasAssertions = this.ops.includes(OP.ASSERT);
    this.isTied = this.#isTied();
  }

  #isTied(): boolean {
    let pc = this.start;
    while (this.ops[pc] === OP.ASSERT) {
      if ((this.args[pc]! & AT.TEXT_START) !== 0) return true;
      pc = this.outs[pc]!;
    }
    return false;
  }
}

/** Behind instructions that only note a place, or nothing. */
function skipped(inst: readonly RuneInstruction[], start: number): number {
  let pc = start;
  while (inst[pc]!.op === 3 || inst[pc]!.op === 7) pc = inst[pc]!.out;
  return pc;
}

/** By the numbers of `re2js`. */
function opOf({ op }: RuneInstruction): number {
  switch (op) {
    case 1:
    case 2:
      return OP.SPLIT;
    case 4:
      return OP.ASSERT;
    case 6:
      return OP.MATCH;
    case 8:
    case 9:
    case 10:
    case 11:
      return OP.RUNE;
    default:
      return OP.FAIL;
  }
}
