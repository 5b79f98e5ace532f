import {
  type JsonObject,
  type KubernetesObject,
  type ObjectMeta,
  schemaOf,
} from "@homeostat/object-model";
import { printObject } from "../codec/print-object.ts";
import type { FormVersion } from "../http/negotiation.ts";

/** The object's metadata alone, whatever its kind, in the order of typed metadata. */
export function partialMetadata(object: KubernetesObject, apiVersion: FormVersion): PartialObject {
  const partial = { kind: "PartialObjectMetadata", apiVersion, metadata: object.metadata ?? {} };
  const schema = schemaOf("meta.v1.PartialObjectMetadata");
  return printObject(schema, partial as unknown as JsonObject);
}

export interface PartialObject {
  kind?: string;
  apiVersion?: string;
  metadata?: ObjectMeta;
}
