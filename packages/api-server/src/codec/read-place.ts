import type { JsonValue } from "@homeostat/object-model";
import { goStructName, goTypeOfElement, goTypeOfField } from "./go-type-names.ts";
import { jsonTypeOf } from "./json-type-of.ts";
import { ObjectDecodeError } from "./object-decode-error.ts";
import { FieldPlan } from "./object-plan.ts";

/** A field of a struct, a key of a map, an index of a list. */
type Step = FieldPlan | number | string;

/** As many as kube-apiserver lists. */
const MAX_UNKNOWN = 100;

/**
 * Far beyond any schema people write, and shallow enough for the stack: only JSON schemas nest in
 * themselves.
 */
const MAX_STEPS = 1_000;

/**
 * Where reading is, and what was wrong so far. As in Go, a value of the wrong type does not end the
 * reading: it goes on, and the first such error is thrown at its end. An error of a type that reads
 * itself (a quantity, a time) is thrown at once, and so wins over earlier ones.
 */
export class ReadPlace {
  readonly unknownFields: string[] = [];
  /** Up to `depth`; what reads a struct, list or map sets the last one for each of its values. */
  readonly steps: Step[] = [];
  depth = 0;
  #firstError: ObjectDecodeError | undefined;
  /** The depth of the outermost type around us that reads itself; unknown fields go unreported there. */
  #selfReading: number | undefined;

  /** Opens a struct, list or map. */
  enter(): void {
    this.depth++;
    if (this.depth > MAX_STEPS) throw new ObjectDecodeError("exceeded max depth");
  }

  leave(): void {
    this.depth--;
  }

  addUnknown(key: string): void {
    if (this.#selfReading !== undefined || this.unknownFields.length >= MAX_UNKNOWN) return;
    const last = this.depth - 1;
    let path = "";
    for (let at = 0; at < last; at++) {
      const step = this.steps[at]!;
      if (typeof step === "number") path += `[${step}]`;
      else path += `${path === "" ? "" : "."}${typeof step === "string" ? step : step.name}`;
    }
    this.unknownFields.push(last === 0 ? key : `${path}.${key}`);
  }

  /** The value here is not of the type its place has, or of the given type. */
  addMismatch(value: JsonValue, type?: string): void {
    this.#firstError ??= this.mismatch(value, type ?? this.#typeHere());
  }

  /** The number here does not fit its type. */
  addNumberMismatch(value: number | bigint, type?: string): void {
    this.#firstError ??= this.#wrongType(`number ${digitsOf(value)}`, type ?? this.#typeHere());
  }

  add(message: string): void {
    this.#firstError ??= new ObjectDecodeError(message);
  }

  mismatch(value: JsonValue, type: string): ObjectDecodeError {
    return this.#wrongType(jsonTypeOf(value), type);
  }

  #wrongType(got: string, type: string): ObjectDecodeError {
    const fields = this.steps.slice(0, this.depth).filter((step) => step instanceof FieldPlan);
    if (fields.length === 0) {
      return new ObjectDecodeError(`json: cannot unmarshal ${got} into Go value of type ${type}`);
    }
    const path = fields.map(({ home, name }) => home.embedded + name).join(".");
    const struct = goStructName((this.#selfReadingField() ?? fields.at(-1)!).holder);
    const inner =
      this.#selfReading === undefined
        ? undefined
        : `json: cannot unmarshal ${got} into Go value of type ${type}`;
    return new ObjectDecodeError(
      `json: cannot unmarshal ${got} into Go struct field ${struct}.${path} of type ${type}`,
      { inner },
    );
  }

  /** Reads a value of a type that reads itself: whatever is wrong inside ends the reading. */
  readSelf<T>(read: () => T): T {
    const [outerError, outerSelf] = [this.#firstError, this.#selfReading];
    this.#firstError = undefined;
    this.#selfReading ??= this.depth;
    const value = read();
    this.throwFirst();
    [this.#firstError, this.#selfReading] = [outerError, outerSelf];
    return value;
  }

  throwFirst(): void {
    if (this.#firstError !== undefined) throw this.#firstError;
  }

  /** The innermost field that the self-reading type is the value of. */
  #selfReadingField(): FieldPlan | undefined {
    if (this.#selfReading === undefined) return undefined;
    return this.steps.slice(0, this.#selfReading).findLast((step) => step instanceof FieldPlan);
  }

  #typeHere(): string {
    const here = this.steps[this.depth - 1];
    if (here instanceof FieldPlan) return goTypeOfField(here);
    const holder = this.steps[this.depth - 2];
    return holder instanceof FieldPlan ? goTypeOfElement(holder) : "string";
  }
}

/** As somebody would have written it; the text itself is gone, and digits beyond 2^53 with it. */
function digitsOf(value: number | bigint): string {
  const isPlain = Number.isInteger(value) && Math.abs(Number(value)) < 1e21;
  return String(isPlain ? BigInt(value) : value);
}
