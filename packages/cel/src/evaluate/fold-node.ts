import { Failure, isFailure } from "../values/failure.ts";
import { goTypeName } from "../values/go-type-name.ts";
import { GrowingList, isList } from "../values/list-value.ts";
import { GrowingMap, isMap } from "../values/map-value.ts";
import type { ListValue, MapValue, Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
import { type Node, type Steps, stepsOf } from "./node.ts";

export interface FoldParts {
  readonly range: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
  readonly accumulator: number;
  readonly variable: number;
  readonly variable2: number | undefined;
}

/**
 * A comprehension. The accumulator is computed when it is first read (its attribute does that), and
 * an empty list or map in it grows in place: only the fold itself can see it before it is finished.
 */
export function foldNode(parts: FoldParts): Node {
  const { range, condition, step, result } = parts;
  const run = (frame: Frame): Value => {
    const items = range.run(frame);
    const fold = Fold.start(parts, frame, items);
    if (fold instanceof Failure) return fold;
    while (fold.next()) {
      if (condition.run(frame) === false) break;
      fold.accumulate(step.run(frame));
    }
    return fold.finish(result.run(frame));
  };
  function* steps(frame: Frame): Steps {
    const items = yield* stepsOf(range, frame);
    const fold = Fold.start(parts, frame, items);
    if (fold instanceof Failure) return fold;
    while (fold.next()) {
      if ((yield* stepsOf(condition, frame)) === false) break;
      fold.accumulate(step.steps === undefined ? step.run(frame) : yield* step.steps(frame));
      if (!frame.needsPause) continue;
      yield;
      frame.paused();
    }
    const value = fold.finish(yield* stepsOf(result, frame));
    // A fold that only binds a name does not loop, but what it binds may double with every one around it.
    if (frame.needsPause) {
      yield;
      frame.paused();
    }
    return value;
  }
  return { run, steps };
}

/** One run of a fold over one range. */
class Fold {
  readonly #parts: FoldParts;
  readonly #frame: Frame;
  readonly #entries: Entries;

  static start(parts: FoldParts, frame: Frame, items: Value): Fold | Failure {
    if (isFailure(items)) return items;
    const entries = entriesOf(items);
    if (entries === undefined) return notIterable(items, parts.variable2 !== undefined);
    frame.slots[parts.accumulator] = undefined;
    return new Fold(parts, frame, entries);
  }

  private constructor(parts: FoldParts, frame: Frame, entries: Entries) {
    this.#parts = parts;
    this.#frame = frame;
    this.#entries = entries;
  }

  next(): boolean {
    const { variable, variable2 } = this.#parts;
    const { slots } = this.#frame;
    const entries = this.#entries;
    if (!entries.advance()) return false;
    if (variable2 === undefined) {
      slots[variable] = entries.single();
    } else {
      slots[variable] = entries.key();
      slots[variable2] = entries.value();
    }
    return true;
  }

  accumulate(value: Value): void {
    this.#frame.slots[this.#parts.accumulator] = value;
  }

  finish(value: Value): Value {
    return value instanceof GrowingList ? value.finish() : value;
  }
}

/** Of the accumulator: what a fold starts to collect into. */
export function startCollecting(value: Value): Value {
  if (isList(value) && value.size === 0) return new GrowingList();
  return isMap(value) && value.size === 0 ? new GrowingMap() : value;
}

interface Entries {
  advance(): boolean;
  /** What one variable gets. */
  single(): Value;
  key(): Value;
  value(): Value;
}

function entriesOf(items: Value): Entries | undefined {
  if (isList(items)) return new ListEntries(items);
  return isMap(items) ? new MapEntries(items) : undefined;
}

class ListEntries implements Entries {
  readonly #list: ListValue;
  readonly #size: number;
  #index = -1;

  constructor(list: ListValue) {
    this.#list = list;
    this.#size = list.size;
  }

  advance(): boolean {
    this.#index += 1;
    return this.#index < this.#size;
  }

  single(): Value {
    return this.#list.at(this.#index);
  }

  key(): Value {
    return BigInt(this.#index);
  }

  value(): Value {
    return this.#list.at(this.#index);
  }
}

class MapEntries implements Entries {
  readonly #map: MapValue;
  readonly #keys: Iterator<Value>;
  #key: Value = null;

  constructor(map: MapValue) {
    this.#map = map;
    this.#keys = map.keys()[Symbol.iterator]();
  }

  advance(): boolean {
    const next = this.#keys.next();
    if (next.done === true) return false;
    this.#key = next.value;
    return true;
  }

  single(): Value {
    return this.#key;
  }

  key(): Value {
    return this.#key;
  }

  value(): Value {
    return this.#map.find(this.#key) ?? null;
  }
}

function notIterable(value: Value, twoVariables: boolean): Failure {
  const name = goTypeName(value);
  return new Failure(
    twoVariables
      ? `unsupported comprehension range type: ${name}`
      : `got '${name}', expected iterable type`,
  );
}
