import {
  createEnvironment,
  DYN,
  type Environment,
  kubernetesLibraries,
  listOf,
  mapOf,
  type ObjectType,
  type ObjectTypeField,
  type Type,
} from "@homeostat/cel";
import type { Place } from "@homeostat/schema";
import { compiledType, printExactType } from "../checks/cel-texts.ts";
import { AUTHORIZER_LIBRARY } from "./authorizer-library.ts";
import { AUTHORIZER, RESOURCE_CHECK } from "./authorizer-types.ts";
import { JSON_PATCH_LIBRARY } from "./json-patch-library.ts";
import { NAMESPACE, REQUEST } from "./request-types.ts";

export interface KnownNames {
  /** Whether there is an object of parameters. */
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Whether it says how to change an object. */
  readonly patches?: boolean;
}

const environments = new Map<string, Environment>();

/** What expressions of webhooks and policies may use. */
export function admissionEnvironment(names: KnownNames): Environment {
  const { params, authorizer, patches = false } = names;
  const key = keyOf(names);
  let environment = environments.get(key);
  if (environment === undefined) {
    const checks = { authorizer: AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK };
    environment = createEnvironment({
      libraries: [
        ...kubernetesLibraries(),
        AUTHORIZER_LIBRARY,
        ...(patches ? [JSON_PATCH_LIBRARY] : []),
      ],
      variables: {
        object: DYN,
        oldObject: DYN,
        namespaceObject: NAMESPACE,
        request: REQUEST,
        ...(params ? { params: DYN } : {}),
        ...(authorizer ? checks : {}),
      },
    });
    environments.set(key, environment);
  }
  return environment;
}

function keyOf({ params, authorizer, patches = false }: KnownNames): string {
  return [params, authorizer, patches].join();
}

/**
 * The expressions of one policy, in the order they stand in it: those of variables come first, and
 * each knows the variables before it.
 */
export class PolicyExpressions {
  /** Undefined where expressions may not speak of variables. */
  readonly #variables: Map<string, ObjectTypeField> | undefined;
  readonly #known = new Map<string, Environment>();

  constructor({ composed }: { readonly composed: boolean }) {
    this.#variables = composed ? new Map() : undefined;
  }

  environment(names: KnownNames): Environment {
    const base = admissionEnvironment(names);
    if (this.#variables === undefined) return base;
    const key = keyOf(names);
    let composed = this.#known.get(key);
    if (composed === undefined) {
      const variables: ObjectType = {
        kind: "object",
        name: "kubernetes.variables",
        fields: this.#variables,
      };
      composed = base.with({ variables });
      this.#known.set(key, composed);
    }
    return composed;
  }

  /** A variable that does not compile is known, as one of any type. */
  declare(name: string, type: Type | undefined): void {
    this.#variables?.set(name, { type: typeOfVariable(type), jsonName: name });
  }
}

/** Only types that the language itself has are kept. */
function typeOfVariable(type: Type = DYN): Type {
  switch (type.kind) {
    case "error":
    case "object":
    case "opaque":
    case "optional":
    case "param":
    case "type":
      return DYN;
    case "list":
      return listOf(typeOfVariable(type.element));
    case "map":
      return mapOf(typeOfVariable(type.key), typeOfVariable(type.value));
    default:
      return type;
  }
}

interface WantedExpression {
  readonly environment: Environment;
  readonly types: readonly Type[];
  /** What errors show in place of the text. */
  readonly shown?: string;
}

/** Has to compile, to one of the types. */
export function checkExpression(
  text: string,
  place: Place,
  { environment, types, shown = text }: WantedExpression,
): void {
  const type = compiledType(environment, { text, shown }, place);
  if (type !== undefined) checkType(printExactType(type), place, { types, shown });
}

/** `got`: the type as it is printed. */
function checkType(
  got: string,
  place: Place,
  { types, shown }: { readonly types: readonly Type[]; readonly shown: string },
): void {
  const wanted = types.map(printExactType);
  if (wanted.includes(got)) return;
  const list = wanted.length === 1 ? wanted.join() : `one of [${wanted.join(" ")}]`;
  place.invalid(shown, `must evaluate to ${list} but got ${got}`);
}

const SPACE = "[\\t\\n\\v\\f\\r \\u0085\\p{Z}]+";
const aroundText = new RegExp(`^${SPACE}|${SPACE}$`, "gu");

/** Without white space around it, as Go trims. */
export function trimmed(text: string): string {
  return text.replace(aroundText, "");
}
