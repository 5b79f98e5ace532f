import {
  type CelExpression,
  createEnvironment,
  type Environment,
  kubernetesLibraries,
  optionalOf,
  STRING,
} from "@homeostat/cel";
import type { ValidationRule } from "@homeostat/object-model/apiextensions-v1";
import { resolveFieldPath } from "../structural/resolve-field-path.ts";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { type DeclaredType, MAX_REQUEST_SIZE } from "./declared-type.ts";

/** A rule of `x-kubernetes-validations`, ready to be asked. */
export interface CompiledRule {
  readonly source: Readonly<ValidationRule>;
  /** Undefined where the rule is empty or does not compile. */
  readonly expression: CelExpression | undefined;
  /** Why it does not compile. */
  readonly problem: string | undefined;
  /** A transition rule: asked only where there is an old value. */
  readonly usesOldSelf: boolean;
  readonly messageExpression: CelExpression | undefined;
  readonly messageProblem: string | undefined;
  /** Where errors are said to be, below the value; "" for the value itself. */
  readonly fieldPath: string;
}

/** What compiling the rules of one schema has in common. */
export class RuleCompiler {
  readonly #schema: StructuralSchema;
  readonly #declared: DeclaredType;
  readonly #environments = new Map<boolean, Environment>();

  constructor(schema: StructuralSchema, declared: DeclaredType) {
    this.#schema = schema;
    this.#declared = declared;
  }

  compile(source: Readonly<ValidationRule>): CompiledRule {
    const nothing = {
      source,
      expression: undefined,
      problem: undefined,
      usesOldSelf: false,
      messageExpression: undefined,
      messageProblem: undefined,
      fieldPath: "",
    };
    if ((source.rule ?? "").trim() === "") return nothing;
    const environment = this.#environment(source.optionalOldSelf === true);
    const compiled = compileTo(environment, source.rule, "bool");
    if ("problem" in compiled) {
      const problem = compiled.problem.replace(
        WRONG_TYPE,
        "cel expression must evaluate to a bool",
      );
      return { ...nothing, problem };
    }
    const { expression } = compiled;
    const usesOldSelf = expression.uses("oldSelf");
    const message = this.#compileMessage(source, environment);
    // Kube-apiserver does not get to the path after a message that does not compile.
    const fieldPath = message.messageProblem === undefined ? this.#fieldPath(source) : "";
    return { ...nothing, ...message, expression, usesOldSelf, fieldPath };
  }

  /** At most so much, in units of cost. */
  estimate(expression: CelExpression): number {
    return expression.estimateCost((path) => {
      const size = sizeAt(this.#declared, path);
      return size === undefined ? undefined : { min: 0, max: size };
    }).max;
  }

  /** How many values of this kind fit into a request. */
  get maxCardinality(): number {
    return Math.floor(MAX_REQUEST_SIZE / (this.#declared.minSize + 1));
  }

  #compileMessage(
    { messageExpression }: Readonly<ValidationRule>,
    environment: Environment,
  ): Pick<CompiledRule, "messageExpression" | "messageProblem"> {
    if (!messageExpression) return { messageExpression: undefined, messageProblem: undefined };
    const compiled = compileTo(environment, messageExpression, "string");
    if (!("problem" in compiled)) {
      return { messageExpression: compiled.expression, messageProblem: undefined };
    }
    const messageProblem =
      compiled.problem === WRONG_TYPE
        ? "messageExpression must evaluate to a string"
        : `messageExpression ${compiled.problem.replace(/^program /, "")}`;
    return { messageExpression: undefined, messageProblem };
  }

  #fieldPath({ fieldPath }: Readonly<ValidationRule>): string {
    if (!fieldPath) return "";
    const resolved = resolveFieldPath(fieldPath, this.#schema);
    return resolved.ok ? resolved.path : "";
  }

  #environment(optionalOldSelf: boolean): Environment {
    const known = this.#environments.get(optionalOldSelf);
    if (known !== undefined) return known;
    const { type } = this.#declared;
    const oldSelf = optionalOldSelf ? optionalOf(type) : type;
    const environment = baseEnvironment().with({ self: type, oldSelf });
    this.#environments.set(optionalOldSelf, environment);
    return environment;
  }
}

const WRONG_TYPE = "wrong type";

function compileTo(
  environment: Environment,
  text: string,
  kind: "bool" | "string",
): { readonly expression: CelExpression } | { readonly problem: string } {
  const compiled = environment.compile(text);
  if (!compiled.ok) {
    const stage = compiled.stage === "compilation" ? "compilation" : "program instantiation";
    return { problem: `${stage} failed: ${compiled.message}` };
  }
  const { expression } = compiled;
  return expression.outputType.kind === kind ? { expression } : { problem: WRONG_TYPE };
}

let base: Environment | undefined;

function baseEnvironment(): Environment {
  return (base ??= createEnvironment({ libraries: kubernetesLibraries() }));
}

/** How long what stands at a path may be: `self`, then names of fields, `@items`, `@keys`, `@values`. */
function sizeAt(root: DeclaredType, path: readonly string[]): number | undefined {
  if (path.length === 0) return undefined;
  let current: DeclaredType | undefined = root;
  for (const step of path.slice(1)) {
    if (step === "@keys") current = current.type.kind === "map" ? KEY : undefined;
    else if (step === "@items" || step === "@values") current = current.element;
    else current = current.fields?.get(step);
    if (current === undefined) return undefined;
  }
  return current.maxElements;
}

/** Nothing bounds keys, and kube-apiserver takes that for a length of 0. */
const KEY: DeclaredType = { type: STRING, minSize: 2, maxElements: 0 };
