/** Defaults in a schema have to be values that it allows, without anything it would prune. */
import { inSlices } from "@homeostat/cel";
import {
  cloneJson,
  equalJson,
  FieldError,
  type FieldPath,
  type JsonObject,
  type JsonValue,
  printFieldErrors,
  setOwnKey,
} from "@homeostat/object-model";
import {
  checkEmbedded,
  coerceEmbedded,
  isJsonObject,
  type MetadataReader,
  prune,
  RuleTree,
  type StructuralSchema,
  sortKeys,
  validateAgainstInSteps,
  validateExpressions,
} from "@homeostat/schema";

export interface DefaultRuleOptions {
  readonly reader: MetadataReader;
  /** Whether defaults may not hold what would be pruned. */
  readonly requiresPruned: () => boolean;
  readonly breathe: () => Promise<void>;
}

export async function checkDefaults(
  schema: StructuralSchema,
  path: FieldPath,
  options: DefaultRuleOptions,
): Promise<FieldError[]> {
  if (!hasDefaults(schema)) return [];
  const check = new DefaultCheck(options);
  await check.check({
    schema,
    path,
    root: schema,
    isInsideMeta: false,
    isRoot: true,
    wrap: asResource,
  });
  return check.errors;
}

function hasDefaults(schema: StructuralSchema): boolean {
  return schema.defaultValue !== undefined || schema.hasDefaultsBelow;
}

/** Puts a default where it would stand in the resource around it. */
type Wrap = (value: JsonValue) => JsonObject;

const asResource: Wrap = (value) => ({
  kind: "Validation",
  apiVersion: "validation/v1",
  ...(isJsonObject(value) ? value : {}),
});

interface Place {
  readonly schema: StructuralSchema;
  readonly path: FieldPath;
  /** The resource that the default is part of. */
  readonly root: StructuralSchema;
  readonly isInsideMeta: boolean;
  readonly isRoot: boolean;
  readonly wrap: Wrap;
}

class DefaultCheck {
  readonly errors: FieldError[] = [];
  readonly #options: DefaultRuleOptions;
  #checked = 0;

  constructor(options: DefaultRuleOptions) {
    this.#options = options;
  }

  async check(place: Place): Promise<void> {
    const { schema, path } = place;
    const isResource = place.isRoot || schema.isEmbeddedResource;
    const inner = isResource
      ? { ...place, isInsideMeta: false, root: schema, wrap: asResource }
      : place;
    if (schema.defaultValue !== undefined) {
      await this.#checkDefault(schema.defaultValue, inner, isResource);
    }
    const below = { root: inner.root, isRoot: false };
    const { items } = schema;
    if (items !== undefined && hasDefaults(items)) {
      await this.check({
        ...below,
        schema: items,
        path: path.child("items"),
        isInsideMeta: inner.isInsideMeta,
        wrap: (value) => inner.wrap([value]),
      });
    }
    for (const [name, property] of schema.properties) {
      if (!hasDefaults(property)) continue;
      await this.check({
        ...below,
        schema: property,
        path: path.child("properties").key(name),
        isInsideMeta: inner.isInsideMeta || (isResource && META.has(name)),
        wrap: (value) => inner.wrap(withMember(name, value)),
      });
    }
  }

  async #checkDefault(value: JsonValue, place: Place, isResource: boolean): Promise<void> {
    const at = place.path.child("default");
    const found = place.isInsideMeta
      ? this.#metadataErrors(value, place, at)
      : this.#placeErrors(value, place, { at, isResource });
    // Unknown fields are told besides whatever else is wrong.
    for (const each of found.always) this.errors.push(each);
    const errors =
      found.errors.length > 0
        ? found.errors
        : await inSlices(
            validateAgainstInSteps(value, place.schema, { path: at, purpose: "default" }),
            this.#options.breathe,
          );
    for (const each of errors) this.errors.push(each);
    if (++this.#checked % DEFAULTS_PER_SLICE === 0) await this.#options.breathe();
    if (errors.length === 0) await this.#askRules(value, RuleTree.of(place.schema, isResource), at);
  }

  #metadataErrors(value: JsonValue, { root, wrap }: Place, at: FieldPath): Found {
    const { reader } = this.#options;
    const object = wrap(cloneJson(value));
    const { error } = coerceEmbedded(object, root, { reader, isResource: true });
    const errors =
      error === undefined ? checkEmbedded(object, root, { reader, isResource: true }) : [error];
    if (errors.length === 0) return { always: [], errors };
    const detail = `must result in valid metadata: ${printFieldErrors(errors)}`;
    return { always: [], errors: [FieldError.invalid(at, sortKeys(value), detail)] };
  }

  #placeErrors(
    value: JsonValue,
    { schema }: Place,
    { at, isResource }: { at: FieldPath; isResource: boolean },
  ): Found {
    const { reader, requiresPruned } = this.#options;
    const always: FieldError[] = [];
    const pruned = cloneJson(value);
    prune(pruned, schema, { isResource, report: false });
    if (!equalJson(pruned, value) && requiresPruned()) {
      always.push(FieldError.invalid(at, sortKeys(value), "must not have unknown fields"));
    }
    const options = { reader, isResource, path: at };
    const copy = cloneJson(value);
    const { error } = coerceEmbedded(copy, schema, options);
    return { always, errors: error === undefined ? checkEmbedded(copy, schema, options) : [error] };
  }

  /** As a value that was there before, and as one that is new. */
  async #askRules(value: JsonValue, tree: RuleTree | undefined, path: FieldPath): Promise<void> {
    if (tree === undefined) return;
    const options = { breathe: this.#options.breathe, path, ratchets: false };
    const kept = await validateExpressions({ value, old: value }, tree, options);
    for (const each of kept.errors) this.errors.push(each);
    if (kept.errors.length > 0) return;
    const added = await validateExpressions({ value, old: undefined }, tree, options);
    for (const each of added.errors) this.errors.push(each);
  }
}

function withMember(name: string, value: JsonValue): JsonObject {
  const object: JsonObject = {};
  setOwnKey(object, name, value);
  return object;
}

interface Found {
  readonly always: readonly FieldError[];
  readonly errors: readonly FieldError[];
}

const DEFAULTS_PER_SLICE = 100;
const META: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Whether a default holds what the schema around it would prune. */
export function hasUnprunedDefaults(schema: StructuralSchema): boolean {
  return hasDefaults(schema) && isUnpruned(schema, true);
}

function isUnpruned(schema: StructuralSchema, isResource: boolean): boolean {
  const { defaultValue, items, additionalSchema } = schema;
  if (defaultValue !== undefined) {
    const pruned = cloneJson(defaultValue);
    prune(pruned, schema, { isResource, report: false });
    if (!equalJson(pruned, defaultValue)) return true;
  }
  const below = [items, additionalSchema, ...schema.properties.values()];
  return below.some((child) => child !== undefined && isUnpruned(child, child.isEmbeddedResource));
}
