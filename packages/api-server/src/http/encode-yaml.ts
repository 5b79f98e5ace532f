import type { KubernetesObject } from "@homeostat/object-model";
import { stringify } from "yaml";
import type { MediaEncoder } from "./media-encoder.ts";

/** Loaded with its library when the first client asks for YAML. Watches are never YAML. */
export const YAML_ENCODER: MediaEncoder = {
  object: (payload) => encodeYaml(payload.object()),
  list: (payload) => [encodeYaml(payload.object())],
  line: (line) => encodeYaml(line.frame.object),
  streamType: "application/yaml;stream=watch",
};

function encodeYaml(object: KubernetesObject): Uint8Array {
  return Buffer.from(stringify(object, { aliasDuplicateObjects: false, lineWidth: 0 }));
}
