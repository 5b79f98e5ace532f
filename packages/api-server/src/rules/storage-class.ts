/** Storage classes and classes of volume attributes: how volumes are made, and what they are like. */
import { checkLabelKey, equalJson, FieldError, FieldPath } from "@homeostat/object-model";
import type {
  TopologySelectorLabelRequirement,
  TopologySelectorTerm,
} from "@homeostat/object-model/core-v1";
import type { StorageClass, VolumeAttributesClass } from "@homeostat/object-model/storage-v1";
import { all, each, fields, ifSet, type Place, type Rule, required } from "@homeostat/schema";
import { optionalChoice } from "./checks/choices.ts";
import { labelKey } from "./checks/label-selectors.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;

/** Of a driver, in any case. */
const provisioner: Rule<string> = (name = "", place) => {
  if (name === "") return place.required();
  const lower = name.toLowerCase();
  for (const problem of checkLabelKey(lower)) place.invalid(lower, problem);
};

const parameters: Rule<{ readonly [key: string]: string }> = (given = {}, place) => {
  const entries = Object.entries(given);
  const path = place.path ?? FieldPath.of("");
  if (entries.length > MAX_PARAMETERS) {
    return place.add(FieldError.tooLong(path, MAX_PARAMETERS));
  }
  let size = 0;
  for (const [key, value] of entries) {
    if (key === "") place.invalid(key, "field can not be empty.");
    size += Buffer.byteLength(key) + Buffer.byteLength(value ?? "");
  }
  if (size > MAX_PARAMETER_BYTES) place.add(FieldError.tooLong(path, MAX_PARAMETER_BYTES));
};

const topologyRequirement: Rule<TopologySelectorLabelRequirement> = (requirement, place) => {
  const { key = "", values = [] } = requirement ?? {};
  const at = place.child("values");
  required(values, at);
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) at.index(index).duplicate(value);
    seen.add(value);
  }
  labelKey(key, place.child("key"));
};

const topologyTerm: Rule<TopologySelectorTerm> = (term, place) => {
  const seen = new Set<string>();
  each<TopologySelectorLabelRequirement>(topologyRequirement, (requirement, at) => {
    const key = requirement?.key ?? "";
    if (seen.has(key)) at.child("key").duplicate(key);
    seen.add(key);
  })(term?.matchLabelExpressions, place.child("matchLabelExpressions"));
};

/** So many terms are told how often they are repeated; of more, each is told once. */
const MAX_COUNTED_TERMS = 100;

const allowedTopologies: Rule<readonly TopologySelectorTerm[]> = (terms = [], place) => {
  // Kubernetes compares with as many empty terms as there are terms, besides those before.
  const seen = new Map<string, number>([[NO_REQUIREMENTS, terms.length]]);
  for (const [index, term] of terms.entries()) {
    const at = place.index(index);
    topologyTerm(term, at);
    const form = termForm(term);
    const before = seen.get(form) ?? 0;
    const told = terms.length > MAX_COUNTED_TERMS ? Math.min(before, 1) : before;
    for (let time = 0; time < told; time++) at.child("matchLabelExpressions").duplicate("");
    seen.set(form, before + 1);
  }
};

const NO_REQUIREMENTS = "[]";

/** The order of requirements and of their values does not matter, and the last of a key counts. */
function termForm(term: TopologySelectorTerm | undefined): string {
  const values = new Map(
    (term?.matchLabelExpressions ?? []).map((requirement) => [
      requirement?.key ?? "",
      [...new Set(requirement?.values)].sort(),
    ]),
  );
  return JSON.stringify([...values].toSorted(([one], [two]) => (one < two ? -1 : 1)));
}

const storageClass: Rule<StorageClass> = fields<StorageClass>({
  provisioner,
  parameters,
  reclaimPolicy: ifSet(optionalChoice("Delete", "Retain")),
  volumeBindingMode: bindingMode,
  allowedTopologies,
});

function bindingMode(mode: string | undefined, place: Place): void {
  if (mode === undefined) place.required();
  else optionalChoice("Immediate", "WaitForFirstConsumer")(mode, place);
}

const attributesClass: Rule<VolumeAttributesClass> = all<VolumeAttributesClass>(
  fields<VolumeAttributesClass>({ driverName: provisioner, parameters }),
  (value, place) => {
    if (Object.keys(value?.parameters ?? {}).length > 0) return;
    place.child("parameters").required("must contain at least one key/value pair");
  },
);

export const storageClassRules: readonly NamedTypeRules[] = [
  rulesFor<StorageClass>("storage.v1.StorageClass", {
    defaults: { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
    validate: storageClass,
    validateChange: ({ value }, place) => storageClass(value, place),
  }),
  rulesFor<VolumeAttributesClass>("storage.v1.VolumeAttributesClass", {
    validate: attributesClass,
    validateChange({ value, old }, place) {
      for (const name of ["driverName", "parameters"] as const) {
        if (equalJson(value?.[name] ?? {}, old?.[name] ?? {})) continue;
        place.child(name).forbidden(`updates to ${name} are forbidden.`);
      }
      attributesClass(value, place);
    },
  }),
];
