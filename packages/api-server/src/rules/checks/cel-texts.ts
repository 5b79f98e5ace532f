/** Expressions that people wrote into objects: whether they compile, and to what. */
import type { Environment, Type } from "@homeostat/cel";
import { printTypeName } from "@homeostat/cel";
import { FieldError, FieldPath } from "@homeostat/object-model";
import type { Place } from "@homeostat/schema";

/** Undefined: it does not compile, and the place knows. `shown` is the text in errors. */
export function compiledType(
  environment: Environment,
  { text, shown }: { readonly text: string; readonly shown: string },
  place: Place,
): Type | undefined {
  const compiled = environment.compile(text);
  if (compiled.ok) return compiled.expression.outputType;
  reportCompilation(compiled, shown, place);
  return undefined;
}

/** Parts that fail whenever they are evaluated are no fault of the client's, says Kubernetes. */
export function reportCompilation(
  { stage, message }: { readonly stage: string; readonly message: string },
  shown: string,
  place: Place,
): void {
  if (stage === "compilation") place.invalid(shown, `compilation failed: ${message}`);
  else {
    const cause = new Error(`program instantiation failed: ${message}`);
    place.add(FieldError.internal(place.path ?? FieldPath.of(""), cause));
  }
}

/** As Go prints a type: `list(null_type)`. */
export function printExactType(type: Type): string {
  const name = printTypeName(type);
  switch (type.kind) {
    case "list":
    case "optional":
      return `${name}(${printExactType(type.element)})`;
    case "map":
      return `${name}(${printExactType(type.key)}, ${printExactType(type.value)})`;
    case "type":
      return type.of === undefined ? name : `${name}(${printExactType(type.of)})`;
    default:
      return name;
  }
}
