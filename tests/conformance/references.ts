/** Fills in what a scenario's texts refer to; see scenario.ts for the notation. */
import {
  applyMergePatch,
  type JsonObject,
  type JsonValue,
  setOwnKey,
} from "@homeostat/object-model";
import type { Body } from "./scenario.ts";

export interface Environment {
  readonly namespace: string;
  /** The bodies answered so far, by step. */
  readonly answers: ReadonlyMap<string, JsonValue | undefined>;
}

const shortPlaces: Readonly<Record<string, string>> = {
  rv: "metadata.resourceVersion",
  uid: "metadata.uid",
  name: "metadata.name",
  continue: "metadata.continue",
};

/** A reference to nothing becomes `missing`: the servers then differ where it matters. */
export function fillText(text: string, environment: Environment): string {
  return text.replaceAll(/\$\{([^}:]+)(?::([^}+]+))?(?:\+(\d+))?\}/g, (whole, ...groups) => {
    const [step, place, more] = groups as [string, string | undefined, string | undefined];
    if (place === undefined) return step === "ns" ? environment.namespace : whole;
    const found = valueAt(environment.answers.get(step), shortPlaces[place] ?? place);
    if (found === undefined || found === null) return "missing";
    const told = typeof found === "string" ? found : JSON.stringify(found);
    return more === undefined ? told : String(BigInt(told) + BigInt(more));
  });
}

export function fillValue(value: JsonValue, environment: Environment): JsonValue {
  if (typeof value === "string") return fillText(value, environment);
  if (Array.isArray(value)) return value.map((each) => fillValue(each, environment));
  if (typeof value !== "object" || value === null) return value;
  const filled: JsonObject = {};
  for (const [key, each] of Object.entries(value)) {
    setOwnKey(filled, fillText(key, environment), fillValue(each, environment));
  }
  return filled;
}

export function fillBody(body: Body, environment: Environment): string {
  if ("text" in body) return fillText(body.text, environment);
  if ("json" in body) return JSON.stringify(fillValue(body.json, environment));
  const base = environment.answers.get(body.edited) ?? {};
  return JSON.stringify(applyMergePatch(base, fillValue(body.by, environment)));
}

/** A path of keys and indexes joined by points; a key with points in it cannot be named. */
function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  let here: JsonValue | undefined = value;
  for (const part of path.split(".")) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, part)) return undefined;
    here = (here as JsonObject)[part];
  }
  return here;
}
