import { FieldError, FieldPath } from "@homeostat/object-model";

/** Where a rule looks, what it may know there, and where it leaves what is wrong. */
export class Place<C = unknown> {
  /** In the order in which they were found; shared by all places of one walk. */
  readonly errors: FieldError[];
  readonly context: C;
  readonly #parent: Place<C> | undefined;
  readonly #step: string | number;
  readonly #isField: boolean;
  #path: FieldPath | undefined;

  private constructor(parts: {
    errors: FieldError[];
    context: C;
    parent?: Place<C>;
    step: string | number;
    isField: boolean;
    path?: FieldPath;
  }) {
    this.errors = parts.errors;
    this.context = parts.context;
    this.#parent = parts.parent;
    this.#step = parts.step;
    this.#isField = parts.isField;
    this.#path = parts.path;
  }

  /** The whole object, or what is at `path` in it. */
  static root<C>(context: C, path?: FieldPath): Place<C> {
    return new Place<C>({
      errors: [],
      context,
      step: "",
      isField: true,
      ...(path === undefined ? {} : { path }),
    });
  }

  /** Undefined for the whole object. */
  get path(): FieldPath | undefined {
    if (this.#path !== undefined || this.#parent === undefined) return this.#path;
    const before = this.#parent.path;
    if (!this.#isField) {
      const root = before ?? FieldPath.of("");
      this.#path = typeof this.#step === "number" ? root.index(this.#step) : root.key(this.#step);
    } else {
      const name = String(this.#step);
      this.#path = before === undefined ? FieldPath.of(name) : before.child(name);
    }
    return this.#path;
  }

  child(name: string): Place<C> {
    return this.#at(name, true);
  }

  index(index: number): Place<C> {
    return this.#at(index, false);
  }

  key(key: string): Place<C> {
    return this.#at(key, false);
  }

  /** The same place for rules that need to know something else. */
  knowing<D>(context: D): Place<D> {
    return new Place<D>({
      errors: this.errors,
      context,
      step: "",
      isField: true,
      ...(this.path === undefined ? {} : { path: this.path }),
    });
  }

  add(...errors: readonly FieldError[]): void {
    for (const each of errors) this.errors.push(each);
  }

  invalid(value: unknown, detail: string): void {
    this.errors.push(FieldError.invalid(this.path, value, detail));
  }

  required(detail = ""): void {
    this.errors.push(FieldError.required(this.#pathOfField(), detail));
  }

  forbidden(detail: string): void {
    this.errors.push(FieldError.forbidden(this.#pathOfField(), detail));
  }

  duplicate(value: unknown): void {
    this.errors.push(FieldError.duplicate(this.#pathOfField(), value));
  }

  notFound(value: unknown): void {
    this.errors.push(FieldError.notFound(this.#pathOfField(), value));
  }

  /** `known` is listed in the order given. */
  notSupported(value: unknown, known: readonly string[]): void {
    this.errors.push(FieldError.notSupported(this.#pathOfField(), value, known));
  }

  #pathOfField(): FieldPath {
    return this.path ?? FieldPath.of("");
  }

  #at(step: string | number, isField: boolean): Place<C> {
    return new Place<C>({
      errors: this.errors,
      context: this.context,
      parent: this,
      step,
      isField,
    });
  }
}
