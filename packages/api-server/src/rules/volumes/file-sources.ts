/** Sources that become files of the pod: secrets, config maps, facts about the pod, host paths. */
import { Quantity } from "@homeostat/object-model";
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  GitRepoVolumeSource,
  HostPathVolumeSource,
  ImageVolumeSource,
  KeyToPath,
  LocalVolumeSource,
  SecretVolumeSource,
} from "@homeostat/object-model/core-v1";
import { each, fields, firstOf, ifPresent, oneOf, type Rule, required } from "@homeostat/schema";
import { choice } from "../checks/choices.ts";
import { podFieldSelector, resourceFieldSelector } from "../checks/downward-api.ts";
import { descendingPath, pathWithoutBacksteps, unreservedPath } from "../checks/paths.ts";

const MAX_MODE = 0o777;

export const fileMode: Rule<number> = (mode, place) => {
  if (mode === undefined || (mode >= 0 && mode <= MAX_MODE)) return;
  place.invalid(mode, "must be a number between 0 and 0777 (octal), both inclusive");
};

export const emptyDir: Rule<EmptyDirVolumeSource> = (source, place) => {
  const { sizeLimit } = source ?? {};
  if (sizeLimit === undefined || Quantity.fromJson(sizeLimit).sign() >= 0) return;
  place.child("sizeLimit").forbidden("SizeLimit field must be a valid resource quantity");
};

const hostPathType = oneOf(
  "",
  "DirectoryOrCreate",
  "Directory",
  "FileOrCreate",
  "File",
  "Socket",
  "CharDevice",
  "BlockDevice",
);

export const hostPath: Rule<HostPathVolumeSource> = firstOf(
  fields<HostPathVolumeSource>({ path: required }),
  fields<HostPathVolumeSource>({ path: pathWithoutBacksteps, type: ifPresent(hostPathType) }),
);

export const localVolume: Rule<LocalVolumeSource> = fields<LocalVolumeSource>({
  path: firstOf(required, pathWithoutBacksteps),
});

export const gitRepo: Rule<GitRepoVolumeSource> = fields<GitRepoVolumeSource>({
  repository: required,
  directory: descendingPath,
});

export const keyToPath: Rule<KeyToPath> = fields<KeyToPath>({
  key: required,
  path: [required, unreservedPath],
  mode: fileMode,
});

export const secret: Rule<SecretVolumeSource> = fields<SecretVolumeSource>({
  secretName: required,
  defaultMode: fileMode,
  items: each(keyToPath),
});

export const configMap: Rule<ConfigMapVolumeSource> = fields<ConfigMapVolumeSource>({
  name: required,
  defaultMode: fileMode,
  items: each(keyToPath),
});

const podField = podFieldSelector([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
]);
const containerResource = resourceFieldSelector({ inVolume: true });

/** Its errors are told at the place of the list. */
export const downwardApiFile: Rule<DownwardAPIVolumeFile> = (file, place) => {
  const { path, fieldRef, resourceFieldRef, mode } = file ?? {};
  const at = place.child("path");
  required(path, at);
  unreservedPath(path, at);
  if (fieldRef) {
    podField(fieldRef, place.child("fieldRef"));
    if (resourceFieldRef) {
      const why = "fieldRef and resourceFieldRef can not be specified simultaneously";
      place.invalid("resource", why);
    }
  } else if (resourceFieldRef) containerResource(resourceFieldRef, place.child("resourceFieldRef"));
  else place.required("one of fieldRef and resourceFieldRef is required");
  fileMode(mode, place.child("mode"));
};

export const downwardApi: Rule<DownwardAPIVolumeSource> = (source, place) => {
  fileMode(source?.defaultMode, place.child("defaultMode"));
  for (const file of source?.items ?? []) downwardApiFile(file, place);
};

const pullPolicy = choice("Always", "IfNotPresent", "Never");

/** Only a pod has to say which image; a template may leave it to who makes the pod. */
export const image: Rule<ImageVolumeSource, { readonly isPod: boolean }> = (source, place) => {
  const { reference, pullPolicy: policy } = source ?? {};
  if (place.context.isPod) required(reference, place.child("reference"));
  pullPolicy(policy, place.child("pullPolicy"));
};
