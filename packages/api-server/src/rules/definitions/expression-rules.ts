/**
 * The expressions of a schema when its definition is written: that they compile, and that what they
 * may cost at worst is affordable. A rule inside a list or map costs once for every value there may
 * be, which is what `maxItems` and `maxProperties` bound.
 */
import { FieldError, type FieldPath } from "@homeostat/object-model";
import type { JSONSchemaProps, ValidationRule } from "@homeostat/object-model/apiextensions-v1";
import {
  type CompiledRule,
  type DeclaredType,
  declaredType,
  limitOf,
  parseStructuralSchema,
  RuleCompiler,
  StructuralSchema,
} from "@homeostat/schema";
import { internalRule } from "./internal-form.ts";

type Source = Readonly<JSONSchemaProps>;

const RULE_LIMIT = 10_000_000;
const TOTAL_LIMIT = 100_000_000;
/** Rules below this share of the limit are not named among the expensive ones. */
const NOTABLE = TOTAL_LIMIT / 100;
const MOST = 2 ** 64;

export class ExpressionRules {
  readonly errors: FieldError[] = [];
  /** Whether each rule has to be affordable; not where the schema is as it was. */
  readonly limitsRules: boolean;
  #total = 0;
  #expensive: { readonly path: FieldPath; readonly cost: number }[] = [];

  constructor(options: { readonly limitsRules: boolean }) {
    this.limitsRules = options.limitsRules;
  }

  root(schema: Source): ExpressionPlace {
    return ExpressionPlace.root(this, schema);
  }

  observe(path: FieldPath, cost: number): void {
    this.#total = Math.min(this.#total + cost, MOST);
    if (cost < NOTABLE) return;
    this.#expensive = [...this.#expensive, { path, cost }]
      .sort((a, b) => b.cost - a.cost)
      .slice(0, 4);
  }

  /** What is said where all rules together are too expensive. */
  totalErrors(path: FieldPath): FieldError[] {
    if (this.#total <= TOTAL_LIMIT) return [];
    const contributed =
      "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const total = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.#expensive.map((rule) => FieldError.forbidden(rule.path, contributed)),
      FieldError.forbidden(path, tooExpensive(total, this.#total / TOTAL_LIMIT)),
    ];
  }
}

/** A schema on the way down, with how many values of it there may be. */
export class ExpressionPlace {
  readonly #rules: ExpressionRules;
  readonly #source: Source;
  readonly #parent: ExpressionPlace | undefined;
  /** Undefined: nothing bounds it but the size of a request. */
  readonly #cardinality: number | undefined;
  #schema: StructuralSchema | undefined;
  /** Null where it is known that there is none. */
  #type: DeclaredType | null | undefined;
  #knownCompiler: RuleCompiler | undefined;

  private constructor(parts: {
    rules: ExpressionRules;
    source: Source;
    parent: ExpressionPlace | undefined;
    cardinality: number | undefined;
    schema: StructuralSchema | undefined;
  }) {
    this.#rules = parts.rules;
    this.#source = parts.source;
    this.#parent = parts.parent;
    this.#cardinality = parts.cardinality;
    this.#schema = parts.schema;
  }

  static root(rules: ExpressionRules, source: Source): ExpressionPlace {
    const schema = parseStructuralSchema(source);
    return new ExpressionPlace({ rules, source, parent: undefined, cardinality: 1, schema });
  }

  /** A member or an item. */
  below(source: Source): ExpressionPlace {
    const elements = maxElementsOf(this.#source);
    const cardinality =
      this.#cardinality === undefined || elements === undefined
        ? undefined
        : Math.min(this.#cardinality * elements, MOST);
    return new ExpressionPlace({
      rules: this.#rules,
      source,
      parent: this,
      cardinality,
      schema: undefined,
    });
  }

  get #structural(): StructuralSchema {
    return (this.#schema ??= new StructuralSchema(this.#source));
  }

  /**
   * What to do about each rule of this schema. `uncorrelatable`: the schema within which there is no
   * old value.
   */
  checks(path: FieldPath, uncorrelatable: FieldPath | undefined): (() => void)[] {
    const rules = this.#source["x-kubernetes-validations"] ?? [];
    const at = path.child("x-kubernetes-validations");
    return rules.map((rule, index) => () => {
      const compiler = this.#compiler();
      if (compiler !== undefined) {
        this.#checkRule(rule, { compiler, path: at.index(index), uncorrelatable });
      } else if (index === 0) {
        const cause = new Error(
          "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations",
        );
        this.#rules.errors.push(FieldError.internal(at, cause));
      }
    });
  }

  /** Undefined where values have no type in expressions. */
  #compiler(): RuleCompiler | undefined {
    if (this.#knownCompiler !== undefined) return this.#knownCompiler;
    const declared = this.#declared();
    if (declared === undefined) return undefined;
    return (this.#knownCompiler = new RuleCompiler(this.#structural, declared));
  }

  /** A value that has no type makes everything around it that has rules untyped too. */
  #declared(): DeclaredType | undefined {
    for (let outer = this.#parent; outer !== undefined; outer = outer.#parent) {
      const hasRules = (outer.#source["x-kubernetes-validations"]?.length ?? 0) > 0;
      if (hasRules && outer.#ownDeclared() === undefined) return undefined;
    }
    return this.#ownDeclared();
  }

  #ownDeclared(): DeclaredType | undefined {
    if (this.#type === undefined) {
      const isResource = this.#parent === undefined || this.#structural.isEmbeddedResource;
      this.#type = declaredType(this.#structural, isResource) ?? null;
    }
    return this.#type ?? undefined;
  }

  #checkRule(
    rule: ValidationRule,
    at: { compiler: RuleCompiler; path: FieldPath; uncorrelatable: FieldPath | undefined },
  ): void {
    const { compiler, path, uncorrelatable } = at;
    const { errors } = this.#rules;
    const rulePath = path.child("rule");
    const compiled = compiler.compile(rule);
    this.#checkCost(compiled, compiler, path);
    if (compiled.problem !== undefined) {
      errors.push(FieldError.invalid(rulePath, internalRule(rule), compiled.problem));
    }
    if (compiled.messageProblem !== undefined) {
      const messagePath = path.child("messageExpression");
      errors.push(FieldError.invalid(messagePath, internalRule(rule), compiled.messageProblem));
    } else if (compiled.messageExpression !== undefined) {
      const cost = compiler.estimate(compiled.messageExpression);
      this.#checkOneCost(cost, path.child("messageExpression"), "estimated messageExpression cost");
    }
    if (compiled.usesOldSelf) {
      if (uncorrelatable === undefined) return;
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${String(uncorrelatable)}`;
      errors.push(FieldError.invalid(rulePath, rule.rule, detail));
    } else if (rule.optionalOldSelf !== undefined) {
      const detail = "may not be set if oldSelf is not used in rule";
      errors.push(FieldError.invalid(path.child("optionalOldSelf"), rule.optionalOldSelf, detail));
    }
  }

  #checkCost({ expression }: CompiledRule, compiler: RuleCompiler, path: FieldPath): void {
    if (expression === undefined) {
      this.#rules.observe(path.child("rule"), 0);
      return;
    }
    const times = this.#cardinality ?? compiler.maxCardinality;
    const cost = compiler.estimate(expression);
    const product = cost === 0 ? 0 : Math.min(cost * times, MOST);
    this.#checkOneCost(product, path.child("rule"), "estimated rule cost");
  }

  #checkOneCost(cost: number, path: FieldPath, name: string): void {
    if (this.#rules.limitsRules && cost > RULE_LIMIT) {
      this.#rules.errors.push(FieldError.forbidden(path, tooExpensive(name, cost / RULE_LIMIT)));
    }
    this.#rules.observe(path, cost);
  }
}

/** How many values there may be directly below one of the schema; undefined where nothing says. */
function maxElementsOf(schema: Source): number | undefined {
  if (schema.type === "array") return bounded(schema.maxItems);
  if (schema.type === "object" && schema.additionalProperties !== undefined) {
    return bounded(schema.maxProperties);
  }
  return 1;
}

function bounded(limit: number | undefined): number | undefined {
  const number = limitOf(limit);
  return number === undefined ? undefined : Math.max(0, number);
}

function tooExpensive(name: string, factor: number): string {
  const shown = factor > 100 ? "more than 100x" : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${name} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
