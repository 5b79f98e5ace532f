/**
 * The shape of a rule file: what kube-apiserver does to one type of the API, wherever that type occurs
 * (a container of a Pod is a container of a Deployment's template). Constants are data; what depends
 * on other fields is a small function.
 *
 * Go's rule decides what "absent" is: a pointer field is absent when its key is missing, so an
 * explicit `0` counts; a value field is absent also when it is `""`, `0` or `false`, and a list when
 * it is empty.
 */
import type { JsonObject } from "@homeostat/object-model";
import type { ChangeRule, Rule } from "@homeostat/schema";

export interface TypeRules<T extends object = JsonObject> {
  /** What absent fields take. */
  readonly defaults?: Readonly<Partial<Unchecked<T>>>;

  /** What depends on other fields. Runs after `defaults` and before the fields inside have theirs. */
  readonly setDefaults?: (object: Unchecked<T>, moment: DefaultingMoment) => void;

  /** Fields that are a ResourceList: their quantities are rounded up to thousandths, at the end. */
  readonly resourceLists?: readonly (keyof T & string)[];

  /**
   * What converting to kube-apiserver's internal version and back leaves visible. Runs last, so it
   * sees every default.
   */
  readonly normalize?: (object: Unchecked<T>) => void;

  /** Of a kind: what a new object has to be, its metadata apart. Parts are named by their own rules. */
  readonly validate?: Rule<T, RuleContext>;

  /** Of a kind: what an update has to be, all of it: `validate` is not run besides. */
  readonly validateChange?: ChangeRule<T, RuleContext>;
}

/** What a rule may depend on besides the object. */
export interface RuleContext {
  readonly operation: "create" | "delete" | "update";
  /** "" for the object itself. */
  readonly subresource: string;
  /** Wall time, milliseconds since 1970. */
  readonly now: number;
}

/** What a default may depend on besides the object. */
export interface DefaultingMoment {
  /** Wall time, milliseconds since 1970; undefined leaves out defaults that are a time. */
  readonly now: number | undefined;
}

/** Decoded but not validated: a required field may be missing too. */
export type Unchecked<T> = T extends readonly (infer Element)[]
  ? Unchecked<Element>[]
  : T extends object
    ? string extends keyof T
      ? { [Key in keyof T]: Unchecked<T[Key]> }
      : { [Key in keyof T]?: Unchecked<T[Key]> }
    : T;

export interface NamedTypeRules {
  /** Schema name, `core.v1.Container`. */
  readonly type: string;
  readonly rules: TypeRules;
}

/** `T` is the generated type that the schema named `type` describes; nothing checks that it is. */
export function rulesFor<T extends object>(type: string, rules: TypeRules<T>): NamedTypeRules {
  return { type, rules: rules as unknown as TypeRules };
}
