/**
 * The types of CEL expressions: what the checker infers, what variables and functions are declared
 * with. Types are plain frozen data compared by structure; a `param` stands for any type in the
 * signature of a generic function, `dyn` for a value whose type is known when it is there.
 */
export type Type =
  | { readonly kind: SimpleTypeKind }
  | ListType
  | { readonly kind: "map"; readonly key: Type; readonly value: Type }
  | { readonly kind: "optional"; readonly element: Type }
  /** The type of a type: what `type(x)` and the name of a type give. */
  | { readonly kind: "type"; readonly of: Type | undefined }
  | { readonly kind: "param"; readonly name: string }
  /** A named abstract type of a library, such as `kubernetes.Quantity`. */
  | { readonly kind: "opaque"; readonly name: string }
  | ObjectType;

export type SimpleTypeKind =
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "null"
  | "string"
  | "timestamp"
  | "uint";

export interface ListType {
  readonly kind: "list";
  readonly element: Type;
  /**
   * How lists of this declaration are equal and are added: by place (left out), as sets, or by the
   * values of these JSON fields of their elements. Not part of the type's identity.
   */
  readonly merge?: ListMerge;
}

export type ListMerge =
  | { readonly kind: "set" }
  | { readonly kind: "map"; readonly keys: readonly string[] };

/** A type with declared fields: selecting another one is an error of the checker. */
export interface ObjectType {
  readonly kind: "object";
  readonly name: string;
  /** By the name in expressions (escaped, see `escapeName`). */
  readonly fields: ReadonlyMap<string, ObjectTypeField>;
  /** It has functions only: nothing can be selected, and the checker says so in other words. */
  readonly receiverOnly?: boolean;
}

export interface ObjectTypeField {
  readonly type: Type;
  /** The name in JSON. */
  readonly jsonName: string;
}

export const BOOL: Type = Object.freeze({ kind: "bool" });
export const BYTES: Type = Object.freeze({ kind: "bytes" });
export const DOUBLE: Type = Object.freeze({ kind: "double" });
export const DURATION: Type = Object.freeze({ kind: "duration" });
export const DYN: Type = Object.freeze({ kind: "dyn" });
export const ERROR: Type = Object.freeze({ kind: "error" });
export const INT: Type = Object.freeze({ kind: "int" });
export const NULL: Type = Object.freeze({ kind: "null" });
export const STRING: Type = Object.freeze({ kind: "string" });
export const TIMESTAMP: Type = Object.freeze({ kind: "timestamp" });
export const UINT: Type = Object.freeze({ kind: "uint" });

export function listOf(element: Type, merge?: ListMerge): Type {
  return Object.freeze(
    merge === undefined ? { kind: "list", element } : { kind: "list", element, merge },
  );
}

export function mapOf(key: Type, value: Type): Type {
  return Object.freeze({ kind: "map", key, value });
}

export function optionalOf(element: Type): Type {
  return Object.freeze({ kind: "optional", element });
}

/** What the name of `of` denotes; without `of`, the type of all types. */
export function typeOf(of: Type | undefined): Type {
  return Object.freeze({ kind: "type", of });
}

export function typeParam(name: string): Type {
  return Object.freeze({ kind: "param", name });
}

export function opaque(name: string): Type {
  return Object.freeze({ kind: "opaque", name });
}
