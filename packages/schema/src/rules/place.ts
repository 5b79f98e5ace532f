import { FieldError, FieldPath } from "@homeostat/object-model";
import type { LaterVisits } from "./later-visits.ts";

/** Where a rule looks, what it may know there, and where it leaves what is wrong. */
export class Place<C = unknown> {
  /** In the order in which they were found; shared by all places of one walk. */
  readonly errors: FieldError[];
  readonly context: C;
  /** Where visits of long lists are put off to; undefined where everything is looked at in one go. */
  readonly later: LaterVisits | undefined;
  readonly #parent: Place<C> | undefined;
  readonly #step: string | number;
  readonly #isField: boolean;
  #path: FieldPath | undefined;

  private constructor(parts: {
    errors: FieldError[];
    context: C;
    later: LaterVisits | undefined;
    parent?: Place<C>;
    step: string | number;
    isField: boolean;
    path?: FieldPath;
  }) {
    this.errors = parts.errors;
    this.context = parts.context;
    this.later = parts.later;
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
      later: undefined,
      step: "",
      isField: true,
      ...(path === undefined ? {} : { path }),
    });
  }

  /** The whole object, of which long lists are left for `later`. */
  static rootOf<C>(context: C, later: LaterVisits): Place<C> {
    return new Place<C>({ errors: later.errors, context, later, step: "", isField: true });
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
      later: this.later,
      step: "",
      isField: true,
      ...(this.path === undefined ? {} : { path: this.path }),
    });
  }

  /**
   * Visits the items of a list in order, at once or, where the list is long and the walk allows it,
   * later: what follows the call must not depend on it. `here` is this place as `visit` has to use it.
   */
  visitItems<E>(list: readonly E[], visit: (item: E, at: Place<C>, here: Place<C>) => void): void {
    const put = this.later?.putOff(list.length);
    if (put === undefined) {
      for (let at = 0; at < list.length; at++) visit(list[at]!, this.index(at), this);
      return;
    }
    const here = this.#movedTo(put);
    put.visit = (at) => visit(list[at]!, here.index(at), here);
  }

  /** The same place, where nothing is put off: what follows depends on what is found here. */
  atOnce(): Place<C> {
    return this.later === undefined ? this : this.#movedTo(this.later.atOnce(), this.errors);
  }

  add(...errors: readonly FieldError[]): void {
    for (const each of errors) this.#report(each);
  }

  invalid(value: unknown, detail: string): void {
    this.#report(FieldError.invalid(this.path, value, detail));
  }

  required(detail = ""): void {
    this.#report(FieldError.required(this.#pathOfField(), detail));
  }

  forbidden(detail: string): void {
    this.#report(FieldError.forbidden(this.#pathOfField(), detail));
  }

  duplicate(value: unknown): void {
    this.#report(FieldError.duplicate(this.#pathOfField(), value));
  }

  notFound(value: unknown): void {
    this.#report(FieldError.notFound(this.#pathOfField(), value));
  }

  /** `known` is listed in the order given. */
  notSupported(value: unknown, known: readonly string[]): void {
    this.#report(FieldError.notSupported(this.#pathOfField(), value, known));
  }

  #report(error: FieldError): void {
    this.errors.push(error);
    this.later?.countError(error);
  }

  #pathOfField(): FieldPath {
    return this.path ?? FieldPath.of("");
  }

  #at(step: string | number, isField: boolean): Place<C> {
    return new Place<C>({
      errors: this.errors,
      context: this.context,
      later: this.later,
      parent: this,
      step,
      isField,
    });
  }

  /** The same place, that reports elsewhere. */
  #movedTo(later: LaterVisits, errors: FieldError[] = later.errors): Place<C> {
    return new Place<C>({
      errors,
      context: this.context,
      later,
      step: "",
      isField: true,
      ...(this.path === undefined ? {} : { path: this.path }),
    });
  }
}
