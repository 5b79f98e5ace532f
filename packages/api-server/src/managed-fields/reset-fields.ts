/**
 * Fields that nobody comes to own through a door, because the kind's strategy puts them back: the
 * status on the object itself, the spec on its status. Kinds that differ from that are listed.
 */
import { type GroupResource, printGroupResource } from "@homeostat/object-model";
import {
  EMPTY_SET,
  type FieldSet,
  fieldElement,
  fieldSetOfPaths,
  isEmptySet,
} from "@homeostat/schema";

type Doors = Readonly<Record<string, readonly string[]>>;

/** By subresource, "" for the object itself. */
const USUAL: Doors = { "": ["status"], status: ["spec"] };

/** Those whose status door lets no metadata through. */
const STRICT: Doors = { "": ["status"], status: ["metadata", "spec"] };

const DOORS: Readonly<Record<string, Doors>> = {
  "apiservices.apiregistration.k8s.io": STRICT,
  "certificatesigningrequests.certificates.k8s.io": {
    "": ["spec", "status"],
    status: ["spec", "status.conditions"],
    approval: ["spec", "status.certificate"],
  },
  "deployments.apps": { "": ["status"], status: ["spec", "metadata.labels"] },
  "flowschemas.flowcontrol.apiserver.k8s.io": STRICT,
  namespaces: { ...USUAL, finalize: ["status"] },
  pods: {
    "": ["status"],
    status: ["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
  },
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": STRICT,
  "resourceclaims.resource.k8s.io": STRICT,
  "servicecidrs.networking.k8s.io": STRICT,
  "validatingadmissionpolicies.admissionregistration.k8s.io": STRICT,
  "volumeattachments.storage.k8s.io": STRICT,
};

interface Door {
  readonly groupResource: GroupResource;
  /** "" for the object itself. */
  readonly subresource: string;
  /** The kind has a status subresource. */
  readonly hasStatus: boolean;
  /** Defined by a client. */
  readonly isCustom: boolean;
}

/** What a write through this door gives nobody. */
export function resetFieldsOf({ groupResource, subresource, hasStatus, isCustom }: Door): FieldSet {
  if (!hasStatus) return EMPTY_SET;
  const doors = isCustom ? STRICT : (DOORS[printGroupResource(groupResource)] ?? USUAL);
  const paths = Object.hasOwn(doors, subresource) ? doors[subresource]! : [];
  return fieldSetOfPaths(...paths.map((path) => path.split(".").map(fieldElement)));
}

/** The members of an object that are reset with everything below them. */
export function wholeMembers(resetFields: FieldSet): string[] {
  const elements = Object.keys(resetFields).filter((element) => isEmptySet(resetFields[element]!));
  return elements.map((element) => element.slice(FIELD.length));
}

/** How path elements of fields begin. */
const FIELD = fieldElement("");
