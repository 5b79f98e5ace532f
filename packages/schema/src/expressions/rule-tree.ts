import type { Type } from "@homeostat/cel";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { type CompiledRule, RuleCompiler } from "./compile-rule.ts";
import { declaredType } from "./declared-type.ts";

/**
 * The rules of a schema and of everything below it. Branches without rules are left out, and rules
 * are compiled when the first value reaches them.
 */
export class RuleTree {
  readonly schema: StructuralSchema;
  /** The schema of a whole resource, embedded or not. */
  readonly isResource: boolean;
  #own: OwnRules | undefined;
  #items: RuleTree | null | undefined;
  #additional: RuleTree | null | undefined;
  #properties: ReadonlyMap<string, RuleTree> | undefined;

  private constructor(schema: StructuralSchema, isResource: boolean) {
    this.schema = schema;
    this.isResource = isResource;
  }

  /** Undefined where there is no rule at all. Default: the schema of a resource. */
  static of(schema: StructuralSchema, isResource = true): RuleTree | undefined {
    return schema.hasRulesBelow ? new RuleTree(schema, isResource) : undefined;
  }

  get own(): OwnRules {
    return (this.#own ??= compileOwn(this.schema, this.isResource));
  }

  get items(): RuleTree | undefined {
    if (this.#items === undefined) this.#items = below(this.schema.items) ?? null;
    return this.#items ?? undefined;
  }

  get additional(): RuleTree | undefined {
    if (this.#additional === undefined)
      this.#additional = below(this.schema.additionalSchema) ?? null;
    return this.#additional ?? undefined;
  }

  get properties(): ReadonlyMap<string, RuleTree> {
    return (this.#properties ??= new Map(
      [...this.schema.properties].flatMap(([name, schema]): [string, RuleTree][] => {
        const tree = below(schema);
        return tree === undefined ? [] : [[name, tree]];
      }),
    ));
  }
}

export interface OwnRules {
  readonly rules: readonly CompiledRule[];
  /** Of `self`. */
  readonly type: Type | undefined;
  /** Whether one of them mentions the old value. */
  readonly useOldSelf: boolean;
}

const NO_RULES: OwnRules = { rules: [], type: undefined, useOldSelf: false };

function below(schema: StructuralSchema | undefined): RuleTree | undefined {
  return schema && RuleTree.of(schema, schema.isEmbeddedResource);
}

function compileOwn(schema: StructuralSchema, isResource: boolean): OwnRules {
  const { rules } = schema;
  const declared = rules.length === 0 ? undefined : declaredType(schema, isResource);
  // Values without a type in CEL have no rules: definitions that give them some are refused.
  if (declared === undefined) return NO_RULES;
  const compiler = new RuleCompiler(schema, declared);
  const compiled = rules.map((rule) => compiler.compile(rule));
  return {
    rules: compiled,
    type: declared.type,
    useOldSelf: compiled.some(({ usesOldSelf }) => usesOldSelf),
  };
}
