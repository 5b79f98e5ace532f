import {
  DURATION,
  type ObjectType,
  TIMESTAMP,
  type Type,
  typeOf,
} from "../expression-types/type.ts";
import type { FunctionDeclaration, Library, MessageType, Overload } from "../library/library.ts";
import type { Value } from "../values/value.ts";

export interface NamedConstant {
  readonly type: Type;
  /** Undefined where expressions may mention the name but cannot be evaluated with it. */
  readonly value: Value | undefined;
}

/** Everything that names mean in an environment. Made once, then only read. */
export class Declarations {
  readonly #functions: Map<string, FunctionDeclaration>;
  readonly #constants: Map<string, NamedConstant>;
  readonly #variables: Map<string, Type>;
  readonly #messages: readonly NonNullable<Library["messages"]>[];

  /** Of libraries, or of what is declared already; that stays as it is. */
  constructor(
    source: readonly Library[] | Declarations,
    variables: Readonly<Record<string, Type>>,
  ) {
    if (source instanceof Declarations) {
      this.#functions = source.#functions;
      this.#constants = new Map(source.#constants);
      this.#variables = new Map(source.#variables);
      this.#messages = source.#messages;
    } else {
      this.#functions = new Map();
      this.#constants = new Map();
      this.#variables = new Map();
      this.#messages = source.flatMap(({ messages }) => (messages === undefined ? [] : [messages]));
      for (const library of source) this.#addLibrary(library);
    }
    for (const [name, type] of Object.entries(variables)) this.#addVariable(name, type);
  }

  function(name: string): FunctionDeclaration | undefined {
    return this.#functions.get(name);
  }

  constant(name: string): NamedConstant | undefined {
    const known = this.#constants.get(name);
    const message = known === undefined ? this.message(name) : undefined;
    return message === undefined ? known : { type: typeOf(message.type), value: undefined };
  }

  /** How values of the type of this name are made. */
  message(name: string): MessageType | undefined {
    for (const find of this.#messages) {
      const message = find(name);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  variable(name: string): Type | undefined {
    return this.#variables.get(name);
  }

  #addLibrary({ functions, constants = [] }: Library): void {
    for (const declared of functions) this.#addFunction(declared);
    for (const { name, type, value } of constants) this.#constants.set(name, { type, value });
  }

  #addVariable(name: string, type: Type): void {
    this.#variables.set(name, type);
    this.#addObjectTypes(type);
    for (const scalar of [DURATION, TIMESTAMP]) {
      this.#constants.set(scalar.kind, { type: typeOf(scalar), value: undefined });
    }
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
