import {
  type Pattern as CompiledPattern,
  compilePattern,
  PatternError,
  type WorkSteps,
} from "@homeostat/cel";

/**
 * A regular expression as Go's regexp reads it, in time linear in the text. Compiled when it is first
 * matched; one that cannot be compiled matches nothing and says why in `problem`.
 */
export class Pattern {
  readonly source: string;
  #compiled: CompiledPattern | undefined;
  #problem: string | undefined;

  constructor(source: string) {
    this.source = source;
  }

  /** What is wrong with the expression, in the words of Go's regexp. */
  get problem(): string | undefined {
    this.#compile();
    return this.#problem;
  }

  /** Whether it matches anywhere in the text. */
  matches(text: string): boolean {
    return this.#compile()?.test(text) ?? false;
  }

  /** How long that takes, in microseconds: the order of magnitude. */
  work(text: string): number {
    return this.#compile()?.work(text) ?? 0;
  }

  /** As `matches`, for texts that take long. */
  *matchesInSteps(text: string): WorkSteps<boolean> {
    const compiled = this.#compile();
    return compiled === undefined ? false : yield* compiled.testInSteps(text);
  }

  #compile(): CompiledPattern | undefined {
    if (this.#compiled !== undefined || this.#problem !== undefined) return this.#compiled;
    try {
      this.#compiled = compilePattern(this.source);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      this.#problem = error.message;
    }
    return this.#compiled;
  }
}
