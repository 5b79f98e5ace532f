/**
 * Where in an object something is, as validation messages print it: `spec.ports[0].name`, and
 * `metadata.labels[app]` for the key of a map. Paths share their beginnings and never change.
 */
export class FieldPath {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** A path from the root of the object. */
  static of(...names: [string, ...string[]]): FieldPath {
    return new FieldPath(names.join("."));
  }

  child(...names: [string, ...string[]]): FieldPath {
    return new FieldPath(`${this.#text}.${names.join(".")}`);
  }

  index(index: number): FieldPath {
    return new FieldPath(`${this.#text}[${index}]`);
  }

  key(key: string): FieldPath {
    return new FieldPath(`${this.#text}[${key}]`);
  }

  toString(): string {
    return this.#text;
  }
}
