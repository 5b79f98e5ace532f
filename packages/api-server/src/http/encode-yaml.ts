import type { KubernetesObject } from "@homeostat/object-model";
import { stringify } from "yaml";

/** Loaded with its library when the first client asks for YAML. */
export function encodeYaml(object: KubernetesObject): Uint8Array {
  return Buffer.from(stringify(object, { aliasDuplicateObjects: false, lineWidth: 0 }));
}
