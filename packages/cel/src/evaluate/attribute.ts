/**
 * A variable, or any computed value, with selections and indexes after it: `self.spec.ports[i].name`.
 * Taken as a whole, for two reasons. An optional step (`.?x`) makes everything after it optional. And
 * the cost goes by the whole: one for each selection and one for the attribute, but nothing for the
 * attribute where it is a branch of `?:` or an index of another; the numbers must be kube-apiserver's.
 */
import { Failure, isFailure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { isOptional, Optional } from "../values/optional-value.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
import { type Node, type Steps, stepsOf } from "./node.ts";
import { find, missing, refusedKey } from "./qualify.ts";

export type AttributeBase =
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly slot: number;
      readonly init: Node | undefined;
      readonly start: (value: Value) => Value;
    }
  | { readonly kind: "value"; readonly node: Node }
  | {
      readonly kind: "choice";
      readonly condition: Node;
      readonly yes: Attribute;
      readonly no: Attribute;
    };

export interface Qualifier {
  readonly key: Value | Attribute;
  readonly optional: boolean;
  /** `has(...)`: only whether it is there. */
  readonly presence: boolean;
}

export class Attribute {
  readonly #base: AttributeBase;
  readonly #qualifiers: readonly Qualifier[];
  /** Fixed keys one after the other, nothing optional: most of most expressions. */
  readonly #keys: readonly Value[] | undefined;
  /** Whether something inside loops. */
  readonly loops: boolean;

  constructor(base: AttributeBase, qualifiers: readonly Qualifier[] = []) {
    this.#base = base;
    this.#qualifiers = qualifiers;
    this.#keys = fixedKeys(qualifiers);
    this.loops =
      baseLoops(base) || qualifiers.some(({ key }) => key instanceof Attribute && key.loops);
  }

  /** Whether the base is `a ? b : c`, which costs nothing itself. */
  get isChoice(): boolean {
    return this.#base.kind === "choice";
  }

  with(qualifier: Qualifier): Attribute {
    const base = this.#base;
    if (base.kind !== "choice") return new Attribute(base, [...this.#qualifiers, qualifier]);
    const { condition, yes, no } = base;
    return new Attribute({
      kind: "choice",
      condition,
      yes: yes.with(qualifier),
      no: no.with(qualifier),
    });
  }

  resolve(frame: Frame): Value {
    const base = this.#base;
    switch (base.kind) {
      case "variable": {
        const found = frame.slots[base.slot];
        const value = found === undefined ? initial(base, frame) : found;
        return this.#qualifiers.length === 0 ? value : this.#qualify(value, frame);
      }
      case "value":
        return this.#qualify(base.node.run(frame), frame);
      case "choice": {
        const condition = base.condition.run(frame);
        if (condition === true) return base.yes.resolve(frame);
        if (condition === false) return base.no.resolve(frame);
        return isFailure(condition) ? condition : NO_SUCH_OVERLOAD;
      }
    }
  }

  *resolveSteps(frame: Frame): Steps {
    const base = this.#base;
    switch (base.kind) {
      case "variable": {
        const value = frame.slots[base.slot];
        if (value === undefined && base.init !== undefined) {
          frame.slots[base.slot] = base.start(yield* stepsOf(base.init, frame));
        }
        const found = frame.slots[base.slot];
        const start = found === undefined ? initial(base, frame) : found;
        return yield* this.#qualifySteps(start, frame);
      }
      case "value":
        return yield* this.#qualifySteps(yield* stepsOf(base.node, frame), frame);
      case "choice": {
        const condition = yield* stepsOf(base.condition, frame);
        if (condition === true) return yield* base.yes.resolveSteps(frame);
        if (condition === false) return yield* base.no.resolveSteps(frame);
        return isFailure(condition) ? condition : NO_SUCH_OVERLOAD;
      }
    }
  }

  #qualify(start: Value, frame: Frame): Value {
    if (isFailure(start)) return start;
    if (this.#keys !== undefined && !isOptional(start)) return followKeys(start, this.#keys, frame);
    const path = new Path(start);
    for (const qualifier of this.#qualifiers) {
      if (path.done) return path.value;
      const { key } = qualifier;
      path.follow(qualifier, key instanceof Attribute ? key.resolve(frame) : key, frame);
    }
    return path.result();
  }

  *#qualifySteps(start: Value, frame: Frame): Steps {
    if (isFailure(start)) return start;
    const path = new Path(start);
    for (const qualifier of this.#qualifiers) {
      if (path.done) return path.value;
      const { key } = qualifier;
      path.follow(
        qualifier,
        key instanceof Attribute ? yield* key.resolveSteps(frame) : key,
        frame,
      );
    }
    return path.result();
  }
}

function fixedKeys(qualifiers: readonly Qualifier[]): readonly Value[] | undefined {
  const keys: Value[] = [];
  for (const { key, optional, presence } of qualifiers) {
    if (key instanceof Attribute || optional || presence) return undefined;
    keys.push(key);
  }
  return keys;
}

function followKeys(start: Value, keys: readonly Value[], frame: Frame): Value {
  let value = start;
  for (const key of keys) {
    const found = find(value, key);
    frame.charge(1);
    if (found === undefined) return missing(value, key);
    if (isFailure(found)) return found;
    value = found;
  }
  return value;
}

/** One walk along qualifiers. */
class Path {
  value: Value;
  /** The value is the answer, whatever comes after. */
  done = false;
  #optional = false;

  constructor(start: Value) {
    this.value = start;
    if (!isOptional(start)) return;
    if (start.value === undefined) this.done = true;
    else this.value = start.value;
    this.#optional = start.value !== undefined;
  }

  follow({ optional, presence }: Qualifier, key: Value, frame: Frame): void {
    this.#optional ||= optional;
    const refused = isFailure(key) ? key : refusedKey(key);
    if (refused !== undefined) return this.#finish(refused, frame);
    const found = find(this.value, key);
    if (found !== undefined && isFailure(found)) return this.#finish(found, frame);
    if (this.#optional) {
      if (found === undefined) {
        if (presence) frame.charge(1);
        this.value = Optional.none;
        this.done = true;
        return;
      }
      frame.charge(1);
      this.value = found;
      return;
    }
    frame.charge(1);
    if (presence) this.value = found !== undefined;
    else if (found === undefined) this.#fail(missing(this.value, key));
    else this.value = found;
  }

  result(): Value {
    return this.#optional && !this.done ? new Optional(this.value) : this.value;
  }

  #finish(failure: Failure, frame: Frame): void {
    if (!this.#optional) frame.charge(1);
    this.#fail(failure);
  }

  #fail(failure: Failure): void {
    this.value = failure;
    this.done = true;
  }
}

/** The attribute as a node of its own. */
export function attributeNode(attribute: Attribute): Node & { readonly attribute: Attribute } {
  const cost = attribute.isChoice ? 0 : 1;
  const run = (frame: Frame): Value => {
    const value = attribute.resolve(frame);
    frame.charge(cost);
    return value;
  };
  if (!attribute.loops) return { run, attribute };
  function* steps(frame: Frame): Steps {
    const value = yield* attribute.resolveSteps(frame);
    frame.charge(cost);
    return value;
  }
  return { run, steps, attribute };
}

/** `has(...)`: the test itself costs nothing. */
export function presenceNode(attribute: Attribute): Node & { readonly attribute: Attribute } {
  const answer = (value: Value): Value => (isOptional(value) ? value.value !== undefined : value);
  const run = (frame: Frame): Value => answer(attribute.resolve(frame));
  if (!attribute.loops) return { run, attribute };
  function* steps(frame: Frame): Steps {
    return answer(yield* attribute.resolveSteps(frame));
  }
  return { run, steps, attribute };
}

function initial(base: Extract<AttributeBase, { kind: "variable" }>, frame: Frame): Value {
  if (base.init === undefined) return new Failure(`no such attribute(s): ${base.name}`);
  const value = base.start(base.init.run(frame));
  frame.slots[base.slot] = value;
  return value;
}

function baseLoops(base: AttributeBase): boolean {
  switch (base.kind) {
    case "variable":
      return base.init?.steps !== undefined;
    case "value":
      return base.node.steps !== undefined;
    case "choice":
      return base.condition.steps !== undefined || base.yes.loops || base.no.loops;
  }
}
