/** A suite of an unmodified client: `tests/clients/NAME/suite.ts` exports one as `suite`. */
export interface ClientSuite {
  /** One line for the list. */
  readonly about: string;
  /** What has to be there and is not, each with what to do about it; empty: it can run. */
  missing(): readonly string[];
  /** Answers what failed; empty: all is well. */
  run(context: SuiteContext): Promise<readonly string[]>;
}

export interface SuiteContext {
  /** What follows the suite's name on the command line. */
  readonly args: readonly string[];
  readonly print: (line: string) => void;
}
