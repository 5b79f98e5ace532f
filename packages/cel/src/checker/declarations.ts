import type { FunctionDeclaration, Library, Overload } from "../library/library.ts";
import { DURATION, type ObjectType, TIMESTAMP, type Type, typeOf } from "../types/type.ts";
import type { Value } from "../values/value.ts";

export interface NamedConstant {
  readonly type: Type;
  /** Undefined where expressions may mention the name but cannot be evaluated with it. */
  readonly value: Value | undefined;
}

/** Everything that names mean in an environment. Made once, then only read. */
export class Declarations {
  readonly #functions = new Map<string, FunctionDeclaration>();
  readonly #constants = new Map<string, NamedConstant>();
  readonly #variables = new Map<string, Type>();

  constructor(libraries: readonly Library[], variables: Readonly<Record<string, Type>>) {
    for (const library of libraries) {
      for (const declared of library.functions) this.#addFunction(declared);
      for (const { name, type, value } of library.constants ?? []) {
        this.#constants.set(name, { type, value });
      }
    }
    for (const [name, type] of Object.entries(variables)) {
      for (const scalar of [DURATION, TIMESTAMP]) {
        this.#constants.set(scalar.kind, { type: typeOf(scalar), value: undefined });
      }
      this.#variables.set(name, type);
      this.#addObjectTypes(type);
    }
  }

  function(name: string): FunctionDeclaration | undefined {
    return this.#functions.get(name);
  }

  constant(name: string): NamedConstant | undefined {
    return this.#constants.get(name);
  }

  variable(name: string): Type | undefined {
    return this.#variables.get(name);
  }

  /** Functions of several libraries under one name are one function. */
  #addFunction(declared: FunctionDeclaration): void {
    const known = this.#functions.get(declared.name);
    const ids = new Set(declared.overloads.map(({ id }) => id));
    const others: readonly Overload[] = known?.overloads.filter(({ id }) => !ids.has(id)) ?? [];
    this.#functions.set(declared.name, {
      ...known,
      ...declared,
      overloads: [...others, ...declared.overloads],
    });
  }

  /** The name of an object type is a name in expressions. */
  #addObjectTypes(type: Type): void {
    switch (type.kind) {
      case "object":
        this.#addObjectType(type);
        return;
      case "list":
      case "optional":
        this.#addObjectTypes(type.element);
        return;
      case "map":
        this.#addObjectTypes(type.value);
        return;
      default:
    }
  }

  #addObjectType(type: ObjectType): void {
    if (this.#constants.has(type.name)) return;
    this.#constants.set(type.name, { type: typeOf(type), value: undefined });
    for (const field of type.fields.values()) this.#addObjectTypes(field.type);
  }
}
