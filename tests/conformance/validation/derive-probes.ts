/**
 * The probes of one kind. A field is probed once as it is in a variant and once as it is not,
 * wherever lists repeat it; what several variants share, the first of them probes.
 */
import {
  type BuiltinResource,
  findBuiltinResource,
  type JsonObject,
  ownKey,
} from "@homeostat/object-model";
import { parsePath, printPath } from "./edits.ts";
import { mutationsOnCreate, mutationsOnUpdate } from "./mutations.ts";
import {
  baseObject,
  type Edit,
  type Probe,
  type ProbedKind,
  type ProbeOperation,
  placeOf,
} from "./probe.ts";
import { type FieldSite, isObject, walkFields } from "./walk-fields.ts";

/** Where all of metadata is probed; its rules are the same for all kinds but those of names. */
const fullMetadata = new Set(["configmaps", "namespaces", "statefulsets"]);
const usualMetadata = new Set(["annotations", "generateName", "labels", "name", "namespace"]);
/** Where it has to be empty. */
const reviewMetadata = new Set(["name", "namespace"]);

export function resourceOf({ group, version, plural, name }: ProbedKind): BuiltinResource {
  const found = findBuiltinResource({ group, version, resource: plural });
  if (found === undefined) throw new Error(`${name}: no built-in ${plural} in ${group}/${version}`);
  return found;
}

export function deriveProbes(kind: ProbedKind): Probe[] {
  const resource = resourceOf(kind);
  const operations: ProbeOperation[] = ["create"];
  if (resource.verbs.includes("update")) operations.push("update");
  if (resource.subresources.some(({ name }) => name === "status")) operations.push("status");
  const seen = new Set<string>();
  const probes: Probe[] = [];
  for (const operation of operations) {
    for (const variant of Object.keys(kind.variants)) {
      const object = baseObject({ ...kind, kind: resource.kind }, variant);
      if (operation === "status" && !isObject(ownKey(object, "status"))) continue;
      probes.push({ variant, operation, field: "", mutation: "base", edits: [] });
      for (const site of sitesOf(object, { kind, resource, operation })) {
        const isThere = site.value !== undefined;
        const place = printPath(site.path.map((step) => (typeof step === "number" ? "*" : step)));
        const field = printPath(site.path);
        for (const [mutation, edits] of mutationsOf(site, { kind, operation, field })) {
          const key = `${operation} ${place} ${isThere} ${mutation}`;
          if (seen.has(key)) continue;
          seen.add(key);
          probes.push({ variant, operation, field, mutation, edits });
        }
      }
    }
  }
  for (const { variant, operation, name, edits } of kind.extras ?? []) {
    const listed = Object.entries(edits).map(([at, value]): Edit => ({ at: parsePath(at), value }));
    probes.push({ variant, operation, field: "", mutation: name, edits: listed });
  }
  return probes;
}

interface Place {
  readonly kind: ProbedKind;
  readonly resource: BuiltinResource;
  readonly operation: ProbeOperation;
}

function* sitesOf(object: JsonObject, place: Place): Generator<FieldSite> {
  for (const site of walkFields(object, place.resource.schema)) {
    const [first, second] = site.path;
    const isStatus = first === "status" && place.resource.subresources.length > 0;
    if (place.operation === "status" ? !isStatus : isStatus) continue;
    if (first === "metadata" && second !== undefined && !fullMetadata.has(place.kind.name)) {
      const isReview = !place.resource.verbs.includes("get");
      if (!(isReview ? reviewMetadata : usualMetadata).has(String(second))) continue;
    }
    yield site;
  }
}

function mutationsOf(
  site: FieldSite,
  { kind, operation, field }: { kind: ProbedKind; operation: ProbeOperation; field: string },
): [string, Edit[]][] {
  if (kind.briefly?.some((place) => field.startsWith(`${place}.`)) === true) {
    return site.value === undefined ? [] : [["absent", [{ at: site.path, value: undefined }]]];
  }
  const isSparse = kind.sparsely?.some((place) => field.startsWith(`${place}.`)) === true;
  if (isSparse && site.value === undefined) return [];
  return operation === "update" ? mutationsOnUpdate(site) : mutationsOnCreate(site);
}

/** Two probes of one name would be one line of a fixture. */
export function checkUnique(probes: readonly Probe[]): void {
  const seen = new Set<string>();
  for (const probe of probes) {
    const id = `${placeOf(probe)} ${probe.mutation}`;
    if (seen.has(id)) throw new Error(`two probes are called "${id}"`);
    seen.add(id);
  }
}
