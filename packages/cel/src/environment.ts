/**
 * The way in: an environment says what names mean, compiling gives an expression or what is wrong with
 * it, and an expression is evaluated any number of times. Both hold no state of evaluations.
 */
import { check } from "./checker/checker.ts";
import { Declarations } from "./checker/declarations.ts";
import { checkLiterals } from "./checker/literal-checks.ts";
import { InstantiationError, plan } from "./evaluate/plan.ts";
import { CelExpression } from "./expression.ts";
import type { Type } from "./expression-types/type.ts";
import type { Library } from "./library/library.ts";
import { type Issue, printIssues } from "./syntax/issue.ts";
import { parse } from "./syntax/parse.ts";

export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  /** By name. Object types inside are known by their names too. */
  readonly variables?: Readonly<Record<string, Type>>;
}

export type Compilation =
  | { readonly ok: true; readonly expression: CelExpression }
  | {
      readonly ok: false;
      /**
       * `compilation`: syntax or types are wrong. `instantiation`: a part made of literals fails
       * whenever it is evaluated.
       */
      readonly stage: "compilation" | "instantiation";
      /** As kube-apiserver prints it after "compilation failed: " or "program instantiation failed: ". */
      readonly message: string;
      readonly issues: readonly Issue[];
    };

export interface Environment {
  compile(text: string): Compilation;
  /** The same with more variables; one of a known name takes its place. */
  with(variables: Readonly<Record<string, Type>>): Environment;
}

export function createEnvironment({ libraries, variables = {} }: EnvironmentOptions): Environment {
  return new CelEnvironment(new Declarations(libraries, variables));
}

class CelEnvironment implements Environment {
  readonly #declarations: Declarations;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  with(variables: Readonly<Record<string, Type>>): Environment {
    return new CelEnvironment(new Declarations(this.#declarations, variables));
  }

  compile(text: string): Compilation {
    const parsed = parse(text);
    if (parsed.issues.length > 0) return refused(text, parsed.issues);
    const { checked, issues } = check(parsed.expression, this.#declarations);
    if (issues.length > 0) return refused(text, issues);
    const literalIssues = checkLiterals(checked, this.#declarations);
    if (literalIssues.length > 0) return refused(text, literalIssues);
    try {
      const planned = plan(checked, this.#declarations);
      return { ok: true, expression: new CelExpression(text, checked, planned) };
    } catch (error) {
      if (!(error instanceof InstantiationError)) throw error;
      const { message } = error;
      return { ok: false, stage: "instantiation", message, issues: [{ at: undefined, message }] };
    }
  }
}

function refused(text: string, issues: readonly Issue[]): Compilation {
  return { ok: false, stage: "compilation", message: printIssues(text, issues), issues };
}
