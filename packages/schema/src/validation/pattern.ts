import { RE2JS, RE2JSSyntaxException } from "re2js";
import { nativePattern } from "./native-pattern.ts";

/**
 * A regular expression as Go's regexp reads it, in time linear in the text. Compiled when it is first
 * matched; one that cannot be compiled matches nothing and says why in `problem`.
 */
export class Pattern {
  readonly source: string;
  #compiled: { test(text: string): boolean } | undefined;
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

  #compile(): { test(text: string): boolean } | undefined {
    if (this.#compiled !== undefined || this.#problem !== undefined) return this.#compiled;
    try {
      this.#compiled = nativePattern(this.source) ?? RE2JS.compile(this.source);
    } catch (error) {
      this.#problem = problemOf(error);
    }
    return this.#compiled;
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof RE2JSSyntaxException)) {
    return `error parsing regexp: ${error instanceof Error ? error.message : String(error)}`;
  }
  return `error parsing regexp: ${error.getDescription()}: \`${error.getPattern() ?? ""}\``;
}
