/**
 * Types of parsed expressions. Every node gets a type, every name and call what it refers to; what
 * does not fit becomes an issue in the words of kube-apiserver's checker, and the check goes on with
 * the type `error`, which fits everything.
 */

import { fieldOf } from "../expression-types/field-of.ts";
import { printType } from "../expression-types/print-type.ts";
import { isDyn, moreGeneral, Substitution } from "../expression-types/substitution.ts";
import {
  BOOL,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  type ObjectType,
  optionalOf,
  type Type,
  typeParam,
} from "../expression-types/type.ts";
import { partsOf, sameType } from "../expression-types/type-identity.ts";
import type { FunctionDeclaration, Overload } from "../library/library.ts";
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  ListExpression,
  MapExpression,
  MessageExpression,
  SelectExpression,
} from "../syntax/expression.ts";
import { type Issue, RepeatedIssues } from "../syntax/issue.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import type { CheckedExpression, ResolvedCall, ResolvedName } from "./checked-expression.ts";
import type { Declarations } from "./declarations.ts";

export function check(
  expression: Expression,
  declarations: Declarations,
): { readonly checked: CheckedExpression; readonly issues: readonly Issue[] } {
  const checker = new Checker(declarations);
  checker.check(expression);
  return { checked: checker.finish(expression), issues: checker.issues };
}

class Checker {
  readonly issues: Issue[] = [];
  readonly #repeated = new RepeatedIssues(this.issues);
  readonly #declarations: Declarations;
  readonly #types = new Map<number, Type>();
  readonly #names = new Map<number, ResolvedName>();
  readonly #calls = new Map<number, ResolvedCall>();
  readonly #substitution = new Substitution();
  /** Variables of comprehensions, the innermost last. */
  readonly #scopes: Map<string, Type>[] = [];
  #freshParams = 0;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  finish(expression: Expression): CheckedExpression {
    const types = new Map<number, Type>();
    for (const [id, type] of this.#types) types.set(id, this.#substitution.apply(type, "dyn"));
    return { expression, types, names: this.#names, calls: this.#calls };
  }

  check(expression: Expression): Type {
    const known = this.#types.get(expression.id);
    if (known !== undefined) {
      this.#repeated.repeat(expression.id);
      return known;
    }
    const before = this.issues.length;
    const type = this.#typeOf(expression);
    this.#types.set(expression.id, type);
    this.#repeated.keep(expression.id, before);
    return type;
  }

  #typeOf(expression: Expression): Type {
    switch (expression.kind) {
      case "literal":
        return typeOfValue(expression.value);
      case "name": {
        const found = this.#lookUp(expression.name);
        if (found === undefined) return this.#undeclared(expression, expression.name);
        this.#names.set(expression.id, found.resolved);
        return found.type;
      }
      case "select":
        return this.#select(expression);
      case "call":
        return this.#call(expression);
      case "list":
        return this.#list(expression);
      case "map":
        return this.#map(expression);
      case "message":
        return this.#message(expression);
      case "comprehension":
        return this.#comprehension(expression);
      case "broken":
        return ERROR;
    }
  }

  #lookUp(written: string): { readonly type: Type; readonly resolved: ResolvedName } | undefined {
    const name = written.startsWith(".") ? written.slice(1) : written;
    for (let depth = this.#scopes.length - 1; depth >= 0; depth -= 1) {
      const type = this.#scopes[depth]!.get(name);
      if (type !== undefined) return { type, resolved: { name } };
    }
    const type = this.#declarations.variable(name);
    if (type !== undefined) return { type, resolved: { name } };
    const constant = this.#declarations.constant(name);
    return constant && { type: constant.type, resolved: { name, constant } };
  }

  #select(expression: SelectExpression): Type {
    const qualified = expression.presence ? undefined : qualifiedName(expression);
    const found = qualified === undefined ? undefined : this.#lookUp(qualified);
    if (found !== undefined) {
      this.#names.set(expression.id, found.resolved);
      return found.type;
    }
    const { operand, field } = expression;
    const type = this.#selectField({ expression, operand, field, optional: false });
    return expression.presence ? BOOL : this.#substitution.apply(type, "keep");
  }

  #selectField(selection: {
    readonly expression: Expression;
    readonly operand: Expression;
    readonly field: string;
    readonly optional: boolean;
  }): Type {
    const { expression, operand, field, optional } = selection;
    const operandType = this.#substitution.apply(this.check(operand), "keep");
    const target = operandType.kind === "optional" ? operandType.element : operandType;
    let type: Type = DYN;
    if (target.kind === "map") type = target.value;
    else if (target.kind === "object") {
      const declared = fieldOf(target, field);
      if (declared === undefined) this.#report(expression, undefinedField(target, field));
      type = declared?.type ?? ERROR;
    } else if (target.kind === "param") this.#substitution.isAssignable(DYN, target);
    else if (target.kind !== "dyn" && target.kind !== "error") {
      this.#report(expression, `type '${printType(target)}' does not support field selection`);
    }
    return optional || operandType.kind === "optional" ? optionalOf(type) : type;
  }

  #call(expression: CallExpression): Type {
    const { function: name, target, args } = expression;
    if (name === "_?._") return this.#optionalSelect(expression);
    for (const arg of args) this.check(arg);
    if (target !== undefined) {
      const prefix = qualifiedName(target);
      const qualified = prefix === undefined ? undefined : this.#function(`${prefix}.${name}`);
      if (qualified !== undefined) return this.#resolve(expression, qualified, undefined);
      this.check(target);
    }
    const declared = this.#function(name);
    if (declared === undefined) return this.#undeclared(expression, name);
    return this.#resolve(expression, declared, target);
  }

  #function(name: string): FunctionDeclaration | undefined {
    return this.#declarations.function(name.startsWith(".") ? name.slice(1) : name);
  }

  #optionalSelect(expression: CallExpression): Type {
    const [operand, name] = expression.args;
    const field = name?.kind === "literal" && typeof name.value === "string" ? name.value : "";
    const type = this.#selectField({ expression, operand: operand!, field, optional: true });
    const overloads = this.#declarations.function("_?._")?.overloads ?? [];
    this.#calls.set(expression.id, { function: "_?._", target: undefined, overloads });
    return this.#substitution.apply(type, "keep");
  }

  #resolve(
    expression: CallExpression,
    declared: FunctionDeclaration,
    target: Expression | undefined,
  ): Type {
    const given = target === undefined ? expression.args : [target, ...expression.args];
    const types = given.map(({ id }) => this.#types.get(id) ?? ERROR);
    if (declared.name === "_&&_" || declared.name === "_||_") {
      return this.#resolveLogic(expression, declared, types);
    }
    const overloads: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declared.overloads) {
      if (overload.member !== (target !== undefined)) continue;
      const signature = this.#instantiate(overload);
      if (!this.#substitution.areAssignable(types, signature.params)) continue;
      overloads.push(overload);
      const type = this.#substitution.apply(signature.result, "keep");
      if (result === undefined) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = DYN;
    }
    if (result === undefined) return this.#noOverload(expression, declared.name, { types, target });
    this.#calls.set(expression.id, { function: declared.name, target, overloads });
    return result;
  }

  #resolveLogic(
    expression: CallExpression,
    declared: FunctionDeclaration,
    types: readonly Type[],
  ): Type {
    let refused = false;
    for (const [index, type] of types.entries()) {
      if (this.#substitution.isAssignable(type, BOOL)) continue;
      this.#mismatch(expression.args[index]!, BOOL, type);
      refused = true;
    }
    if (refused) return ERROR;
    const { name, overloads } = declared;
    this.#calls.set(expression.id, { function: name, target: undefined, overloads });
    return BOOL;
  }

  /** The signature with type parameters of its own. */
  #instantiate(overload: Overload): { readonly params: readonly Type[]; readonly result: Type } {
    if (!overload.params.some(hasParam) && !hasParam(overload.result)) return overload;
    const fresh = new Map<string, Type>();
    const renew = (type: Type): Type => {
      switch (type.kind) {
        case "param": {
          const known = fresh.get(type.name) ?? this.#freshParam();
          fresh.set(type.name, known);
          return known;
        }
        case "list":
          return listOf(renew(type.element));
        case "map":
          return mapOf(renew(type.key), renew(type.value));
        case "optional":
          return optionalOf(renew(type.element));
        case "type":
          return type.of === undefined ? type : { kind: "type", of: renew(type.of) };
        default:
          return type;
      }
    };
    const result = renew(overload.result);
    return { params: overload.params.map(renew), result };
  }

  #noOverload(
    expression: CallExpression,
    name: string,
    { types, target }: { readonly types: readonly Type[]; readonly target: Expression | undefined },
  ): Type {
    const printed = types.map((type) => printType(this.#substitution.apply(type, "dyn")));
    const receiver = target === undefined ? "" : `${printed.shift()}.`;
    const signature = `${receiver}(${printed.join(", ")})`;
    this.#report(expression, `found no matching overload for '${name}' applied to '${signature}'`);
    return ERROR;
  }

  #list(expression: ListExpression): Type {
    let joined: Type | undefined;
    for (const [index, element] of expression.elements.entries()) {
      const type = this.check(element);
      const plain = expression.optional.has(index) ? this.#unwrap(element, type) : type;
      joined = this.#join(joined, plain);
    }
    return listOf(joined ?? this.#freshParam());
  }

  #map(expression: MapExpression): Type {
    let keys: Type | undefined;
    let values: Type | undefined;
    for (const { key, value, optional } of expression.entries) {
      keys = this.#join(keys, this.check(key));
      const type = this.check(value);
      values = this.#join(values, optional ? this.#unwrap(value, type) : type);
    }
    return mapOf(keys ?? this.#freshParam(), values ?? this.#freshParam());
  }

  #unwrap(expression: Expression, type: Type): Type {
    if (type.kind === "optional") return type.element;
    if (!isDyn(type)) this.#mismatch(expression, optionalOf(type), type);
    return type;
  }

  /** Mixed types are dyn here; whether they may be mixed is looked at later. */
  #join(joined: Type | undefined, type: Type): Type {
    if (joined === undefined) return type;
    return this.#substitution.isAssignable(joined, type) ? moreGeneral(joined, type) : DYN;
  }

  #message(expression: MessageExpression): Type {
    const found = this.#lookUp(expression.typeName);
    if (found === undefined) return this.#undeclared(expression, expression.typeName);
    let type: Type = ERROR;
    if (found.type.kind !== "type")
      this.#report(expression, `'${printType(found.type)}' is not a type`);
    else if (found.type.of?.kind === "object") type = found.type.of;
    else {
      const name = found.type.of === undefined ? "type" : printType(found.type.of);
      this.#report(expression, `'${name}' is not a message type`);
    }
    for (const { name, value, optional, at } of expression.fields) {
      const given = this.check(value);
      const plain = optional ? this.#unwrap(value, given) : given;
      if (type.kind !== "object") {
        const message = `unexpected failed resolution of '${expression.typeName}'`;
        this.issues.push({ at, message });
        continue;
      }
      const declared = fieldOf(type, name)?.type;
      if (declared === undefined) this.issues.push({ at, message: `undefined field '${name}'` });
      else if (!this.#substitution.isAssignable(declared, plain)) {
        const message = `expected type of field '${name}' is '${printType(declared)}' but provided type is '${printType(plain)}'`;
        this.issues.push({ at, message });
      }
    }
    return type;
  }

  #comprehension(expression: ComprehensionExpression): Type {
    const range = this.#substitution.apply(this.check(expression.range), "keep");
    const accumulator = this.check(expression.init);
    this.#scopes.push(new Map([[expression.accumulator, accumulator]]));
    const [first, second] = this.#iterated(expression, range);
    const variables = new Map([[expression.variable, first]]);
    if (expression.variable2 !== undefined) variables.set(expression.variable2, second);
    this.#scopes.push(variables);
    this.#expect(expression.condition, this.check(expression.condition), BOOL);
    this.#expect(expression.step, this.check(expression.step), accumulator);
    this.#scopes.pop();
    const result = this.check(expression.result);
    this.#scopes.pop();
    return this.#substitution.apply(result, "keep");
  }

  /** Types of the variables of a comprehension; the second counts only where there are two. */
  #iterated(expression: ComprehensionExpression, range: Type): readonly [Type, Type] {
    switch (range.kind) {
      case "list":
        return expression.variable2 === undefined ? [range.element, ERROR] : [INT, range.element];
      case "map":
        return [range.key, range.value];
      case "dyn":
      case "error":
      case "param":
        this.#substitution.isAssignable(DYN, range);
        return [DYN, DYN];
      default:
        this.#report(
          expression.range,
          `expression of type '${printType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
    }
  }

  #expect(expression: Expression, type: Type, wanted: Type): void {
    if (!this.#substitution.isAssignable(wanted, type)) this.#mismatch(expression, wanted, type);
  }

  #freshParam(): Type {
    this.#freshParams += 1;
    return typeParam(`_var${this.#freshParams - 1}`);
  }

  #undeclared(expression: Expression, name: string): Type {
    this.#report(expression, `undeclared reference to '${name}' (in container '')`);
    return ERROR;
  }

  #mismatch(expression: Expression, wanted: Type, type: Type): void {
    this.#report(expression, `expected type '${printType(wanted)}' but found '${printType(type)}'`);
  }

  #report(expression: Expression, message: string): void {
    this.issues.push({ at: expression.at, message });
  }
}

function undefinedField({ name, receiverOnly }: ObjectType, field: string): string {
  return receiverOnly === true
    ? `unexpected failed resolution of '${name}'`
    : `undefined field '${field}'`;
}

/** `a.b.c` of selections and a name; undefined for anything else. */
function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === "name") return expression.name;
  if (expression.kind !== "select" || expression.presence) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}

function hasParam(type: Type): boolean {
  return type.kind === "param" || partsOf(type).some(hasParam);
}
