/**
 * What kube-apiserver 1.36 adds to an object of a built-in kind before anybody looks at it. A file
 * per kind or shared type says it (`container.ts`, `service.ts`), keyed by schema name, so that a pod
 * template is defaulted the same wherever it occurs; this file walks an object and applies it.
 *
 * Only what defaulting does, and what conversion to the internal version leaves visible, is here:
 * values that a strategy chooses (cluster IPs, job selectors, resourceClaim names) or admission adds
 * (priority, tolerations, service account mounts, default storage class) are not. Applying twice
 * changes nothing.
 */
import {
  cloneJson,
  findSchema,
  type JsonObject,
  type JsonValue,
  type ObjectSchema,
  type SchemaField,
} from "@homeostat/object-model";
import { findTypeRules } from "./builtin-rules.ts";
import { roundResourceList } from "./resource-list.ts";
import type { DefaultingMoment, TypeRules } from "./type-rules.ts";

/** Compiled once per type; a type that no rule can reach has none, and its subtree is not walked. */
interface TypePlan {
  readonly constants: readonly ConstantDefault[];
  readonly setDefaults: TypeRules["setDefaults"];
  readonly children: readonly ChildPlan[];
  readonly resourceLists: readonly string[];
  readonly normalize: TypeRules["normalize"];
  /** Whether an empty object gets anything: then an absent struct that Go always has is made. */
  readonly fillsEmpty: boolean;
}

interface ConstantDefault {
  readonly field: string;
  readonly value: JsonValue;
  readonly pointer: boolean;
}

interface ChildPlan {
  readonly field: string;
  readonly shape: SchemaField["shape"];
  readonly plan: TypePlan;
  readonly madeWhenAbsent: boolean;
}

const plans = new Map<string, TypePlan | undefined>();

/**
 * Adds the defaults of the kind to a decoded object, in place. `now`, in milliseconds since 1970, is
 * what a device taint without a time gets; it gets none without.
 *
 * kube-apiserver does it twice: to what it reads, and to what its strategy made of that, when it
 * decodes what it stores. Only the second time does a job whose template came without labels get those
 * that the strategy put there.
 */
export function applyDefaults(schema: ObjectSchema, object: JsonObject, now?: number): void {
  const plan = planOf(schema);
  if (plan !== undefined) applyPlan(plan, object, { now });
}

function applyPlan(plan: TypePlan, object: JsonObject, moment: DefaultingMoment): void {
  for (const { field, value, pointer } of plan.constants) {
    if (!isAbsent(object[field], pointer)) continue;
    object[field] = typeof value === "object" ? cloneJson(value) : value;
  }
  plan.setDefaults?.(object, moment);
  for (const child of plan.children) applyToChild(child, object, moment);
  for (const field of plan.resourceLists) roundResourceList(object[field]);
  plan.normalize?.(object);
}

function applyToChild(child: ChildPlan, parent: JsonObject, moment: DefaultingMoment): void {
  const value = parent[child.field];
  if (value === undefined || value === null) {
    if (!child.madeWhenAbsent) return;
    const made: JsonObject = {};
    applyPlan(child.plan, made, moment);
    parent[child.field] = made;
  } else if (child.shape === "single") {
    if (isObject(value)) applyPlan(child.plan, value, moment);
  } else {
    const elements = Array.isArray(value) ? value : Object.values(value);
    for (const element of elements) if (isObject(element)) applyPlan(child.plan, element, moment);
  }
}

function isAbsent(value: JsonValue | undefined, pointer: boolean): boolean {
  if (value === undefined || value === null) return true;
  if (pointer) return false;
  if (typeof value === "object") return Array.isArray(value) && value.length === 0;
  return value === "" || value === 0 || value === false;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A type inside itself (only the schemas of custom resources are) counts as out of rules' reach. */
function planOf(schema: ObjectSchema): TypePlan | undefined {
  if (plans.has(schema.name)) return plans.get(schema.name);
  plans.set(schema.name, undefined);
  const plan = compile(schema);
  plans.set(schema.name, plan);
  return plan;
}

function compile(schema: ObjectSchema): TypePlan | undefined {
  if (schema.form !== "object") return undefined;
  const rules = findTypeRules(schema.name) ?? {};
  const children: ChildPlan[] = [];
  for (const field of schema.fields.values()) {
    const inner = field.schema === undefined ? undefined : findSchema(field.schema);
    const plan = inner === undefined ? undefined : planOf(inner);
    if (plan === undefined) continue;
    const { name, shape, pointer } = field;
    const madeWhenAbsent = shape === "single" && !pointer && plan.fillsEmpty;
    children.push({ field: name, shape, plan, madeWhenAbsent });
  }
  const constants = Object.entries(rules.defaults ?? {}).map(([field, value]) => ({
    field,
    value: value as JsonValue,
    pointer: schema.fields.get(field)?.pointer ?? false,
  }));
  const { setDefaults, normalize, resourceLists = [] } = rules;
  const known = { constants, setDefaults, children, resourceLists, normalize };
  if (children.length === 0 && Object.keys(rules).length === 0) return undefined;
  return { ...known, fillsEmpty: fillsEmpty({ ...known, fillsEmpty: false }) };
}

function fillsEmpty(plan: TypePlan): boolean {
  const empty: JsonObject = {};
  applyPlan(plan, empty, { now: undefined });
  return Object.keys(empty).length > 0;
}
