/**
 * Where in an object something is, as validation messages print it: `spec.ports[0].name`, and
 * `metadata.labels[app]` for the key of a map. Paths share their beginnings and never change; the
 * text is made when it is asked for, so that a path costs little where nothing is wrong.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string | number;
  readonly #isField: boolean;

  private constructor(parent: FieldPath | undefined, step: string | number, isField: boolean) {
    this.#parent = parent;
    this.#step = step;
    this.#isField = isField;
  }

  /** A path from the root of the object. */
  static of(...names: [string, ...string[]]): FieldPath {
    return new FieldPath(undefined, names.join("."), true);
  }

  child(...names: [string, ...string[]]): FieldPath {
    return new FieldPath(this, names.length === 1 ? names[0] : names.join("."), true);
  }

  index(index: number): FieldPath {
    return new FieldPath(this, index, false);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, key, false);
  }

  toString(): string {
    const step = this.#isField ? `${this.#step}` : `[${this.#step}]`;
    if (this.#parent === undefined) return step;
    return `${this.#parent.toString()}${this.#isField ? "." : ""}${step}`;
  }
}
