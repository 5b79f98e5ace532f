/** What is looked at once the types are right: literals that no evaluation could use. */
import { callNow } from "../evaluate/call-node.ts";
import { printType } from "../expression-types/print-type.ts";
import { DYN, type Type } from "../expression-types/type.ts";
import { sameType } from "../expression-types/type-identity.ts";
import { readPattern } from "../library/standard-texts.ts";
import { checkFormatCall, type FormatArgument } from "../string-format/check-format.ts";
import type {
  CallExpression,
  Expression,
  ListExpression,
  MapExpression,
} from "../syntax/expression.ts";
import { type Issue, RepeatedIssues } from "../syntax/issue.ts";
import { Failure, isFailure } from "../values/failure.ts";
import type { CheckedExpression } from "./checked-expression.ts";
import type { Declarations } from "./declarations.ts";

export function checkLiterals(
  checked: CheckedExpression,
  declarations: Declarations,
): readonly Issue[] {
  const checks = new LiteralChecks(checked, declarations);
  checks.visit(checked.expression, false);
  return checks.issues;
}

class LiteralChecks {
  readonly issues: Issue[] = [];
  readonly #repeated = new RepeatedIssues(this.issues);
  readonly #visited = new Set<number>();
  readonly #checked: CheckedExpression;
  readonly #declarations: Declarations;

  constructor(checked: CheckedExpression, declarations: Declarations) {
    this.#checked = checked;
    this.#declarations = declarations;
  }

  /** `formatted`: inside a call of `format`, whose lists may mix types. */
  visit(expression: Expression, formatted: boolean): void {
    const { id } = expression;
    if (this.#visited.has(id)) return this.#repeated.repeat(id);
    const before = this.issues.length;
    this.#visited.add(id);
    this.#visitParts(expression, formatted);
    this.#repeated.keep(id, before);
  }

  #visitParts(expression: Expression, formatted: boolean): void {
    switch (expression.kind) {
      case "select":
        this.visit(expression.operand, formatted);
        return;
      case "call":
        this.#call(expression, formatted);
        return;
      case "list":
        if (!formatted) this.#list(expression);
        for (const element of expression.elements) this.visit(element, formatted);
        return;
      case "map":
        if (!formatted) this.#map(expression);
        for (const { key, value } of expression.entries) {
          this.visit(key, formatted);
          this.visit(value, formatted);
        }
        return;
      case "message":
        for (const { value } of expression.fields) this.visit(value, formatted);
        return;
      case "comprehension":
        this.visit(expression.range, formatted);
        this.visit(expression.init, formatted);
        this.visit(expression.condition, formatted);
        this.visit(expression.step, formatted);
        this.visit(expression.result, formatted);
        return;
      default:
    }
  }

  #call(expression: CallExpression, formatted: boolean): void {
    const resolved = this.#checked.calls.get(expression.id);
    const name = resolved?.function ?? expression.function;
    const [first] = expression.args;
    if (first?.kind === "literal" && !this.#isUsable(name, expression, first)) {
      this.issues.push({ at: first.at, message: `invalid ${name} argument` });
    }
    const isFormat = name === "format";
    if (isFormat) this.#format(expression);
    if (resolved?.target !== undefined) this.visit(resolved.target, formatted || isFormat);
    for (const arg of expression.args) this.visit(arg, formatted || isFormat);
  }

  #isUsable(
    name: string,
    expression: CallExpression,
    literal: Extract<Expression, { kind: "literal" }>,
  ): boolean {
    switch (name) {
      case "duration":
      case "timestamp": {
        const declared = this.#declarations.function(name);
        const overloads = this.#checked.calls.get(expression.id)?.overloads ?? [];
        return declared === undefined || !isFailure(callNow(declared, overloads, [literal.value]));
      }
      case "matches":
        return (
          typeof literal.value !== "string" || !(readPattern(literal.value) instanceof Failure)
        );
      default:
        return true;
    }
  }

  #list({ elements, optional }: ListExpression): void {
    let common: Type | undefined;
    for (const [index, element] of elements.entries()) {
      const type = this.#plainType(element, optional.has(index));
      common ??= type;
      if (sameType(common, type)) continue;
      this.#mismatch(element, common, type);
      return;
    }
  }

  #map({ entries }: MapExpression): void {
    const [first] = entries;
    if (first === undefined) return;
    const keys = this.#typeOf(first.key);
    const values = this.#plainType(first.value, first.optional);
    for (const { key, value, optional } of entries) {
      const keyType = this.#typeOf(key);
      const valueType = this.#plainType(value, optional);
      if (!sameType(keys, keyType)) this.#mismatch(key, keys, keyType);
      if (!sameType(values, valueType)) this.#mismatch(value, values, valueType);
    }
  }

  #format({ at, target, args }: CallExpression): void {
    const [list] = args;
    if (target?.kind !== "literal" || typeof target.value !== "string" || list?.kind !== "list")
      return;
    const problem = checkFormatCall(
      target.value,
      list.elements.map((element) => this.#formatArgument(element)),
    );
    if (problem === undefined) return;
    let place: Expression | undefined = problem.path.length === 0 ? undefined : list;
    for (const index of problem.path) place = place && partsOfLiteral(place)[index];
    this.issues.push({ at: place?.at ?? at, message: problem.message });
  }

  #formatArgument(expression: Expression): FormatArgument {
    const type = this.#typeOf(expression);
    const parts = partsOfLiteral(expression);
    if (parts.length === 0) return { type };
    return { type, elements: parts.map((part) => this.#formatArgument(part)) };
  }

  #plainType(expression: Expression, optional: boolean): Type {
    const type = this.#typeOf(expression);
    return optional && type.kind === "optional" ? type.element : type;
  }

  #typeOf({ id }: Expression): Type {
    return this.#checked.types.get(id) ?? DYN;
  }

  #mismatch({ at }: Expression, expected: Type, found: Type): void {
    const message = `expected type '${printType(expected)}' but found '${printType(found)}'`;
    this.issues.push({ at, message });
  }
}

function partsOfLiteral(expression: Expression): readonly Expression[] {
  if (expression.kind === "list") return expression.elements;
  if (expression.kind !== "map") return [];
  return expression.entries.flatMap(({ key, value }) => [key, value]);
}
