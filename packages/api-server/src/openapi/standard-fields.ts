/** What every object says of itself, in the words that kube-apiserver describes it with. */
import type { JsonObject } from "@homeostat/object-model";

const CONVENTIONS =
  "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

export const API_VERSION: JsonObject = {
  description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${CONVENTIONS}#resources`,
  type: "string",
};

export const KIND: JsonObject = {
  description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
  type: "string",
};

/** Those of an object in an object are described by others. */
export const EMBEDDED_API_VERSION: JsonObject = {
  description: `apiVersion defines the versioned schema of this representation of an object. More info: ${CONVENTIONS}#resources`,
  type: "string",
};

export const EMBEDDED_KIND: JsonObject = {
  description: `kind is a string value representing the type of this object. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
  type: "string",
};

export function objectMetadata(reference: JsonObject): JsonObject {
  const description = `Standard object's metadata. More info: ${CONVENTIONS}#metadata`;
  return { description, ...reference };
}

export function listMetadata(reference: JsonObject): JsonObject {
  const description = `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`;
  return { description, ...reference };
}

export function listItems(plural: string, schema: JsonObject): JsonObject {
  const description = `List of ${plural}. More info: ${CONVENTIONS}`;
  return { description, type: "array", items: schema };
}
