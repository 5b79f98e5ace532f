/** Environment variables of containers and where their values come from. */
import { checkDns1123Label, checkDns1123Subdomain } from "@homeostat/object-model";
import type {
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  SecretEnvSource,
  SecretKeySelector,
} from "@homeostat/object-model/core-v1";
import { eachLater, fields, type Rule, textIs } from "@homeostat/schema";
import { nameIsDnsSubdomain } from "../../resources/object-meta.ts";
import { configKey } from "../checks/config-keys.ts";
import { podFieldSelector, resourceFieldSelector } from "../checks/downward-api.ts";
import { pathWithoutBacksteps } from "../checks/paths.ts";
import { requiredThen } from "../checks/required-then.ts";

const NAME_FORM =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** Any printable ASCII; the older, narrower form is no longer asked for. */
function checkVariableName(name: string): string[] {
  return /^[ -<>-~]*$/.test(name) ? [] : [NAME_FORM];
}

const variableName: Rule<string> = textIs(checkVariableName);

const POD_FIELDS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

const keyOfObject = fields<ConfigMapKeySelector | SecretKeySelector>({
  name: textIs(checkDns1123Subdomain),
  key: requiredThen(configKey),
});

const keyOfFile = fields<FileKeySelector>({
  key: requiredThen(variableName),
  volumeName: requiredThen(textIs(checkDns1123Label)),
  path: requiredThen(pathWithoutBacksteps),
});

/** In the order in which they are looked at. */
const SOURCES = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];

const source: Rule<EnvVarSource> = (value, place) => {
  if (value === undefined) return;
  if (value.fieldRef) podFieldSelector(POD_FIELDS)(value.fieldRef, place.child("fieldRef"));
  if (value.resourceFieldRef) {
    const rule = resourceFieldSelector({ inVolume: false });
    rule(value.resourceFieldRef, place.child("resourceFieldRef"));
  }
  if (value.configMapKeyRef) keyOfObject(value.configMapKeyRef, place.child("configMapKeyRef"));
  if (value.secretKeyRef) keyOfObject(value.secretKeyRef, place.child("secretKeyRef"));
  if (value.fileKeyRef) keyOfFile(value.fileKeyRef, place.child("fileKeyRef"));
};

function countSources(value: object, names: readonly string[]): number {
  return names.filter((name) => Boolean((value as Record<string, unknown>)[name])).length;
}

const NO_SOURCE =
  "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";

/** A value or one source of it. */
const oneSource: Rule<EnvVar> = (variable, place) => {
  if (!variable?.valueFrom) return;
  const count = countSources(variable.valueFrom, SOURCES);
  const at = place.child("valueFrom");
  if (count === 0) at.invalid("", NO_SOURCE);
  else if (variable.value) at.invalid("", "may not be specified when `value` is not empty");
  else if (count > 1) at.invalid("", "may not have more than one field specified at a time");
};

export const environmentRule: Rule<readonly EnvVar[]> = eachLater(
  fields<EnvVar>({ name: requiredThen(variableName), valueFrom: source }),
  oneSource,
);

const wholeObject = fields<ConfigMapEnvSource | SecretEnvSource>({
  name: requiredThen(textIs((name) => nameIsDnsSubdomain(name, { prefix: true }))),
});

/** What is wrong with the sources of an element is told at the list. */
export const environmentFromRule: Rule<readonly EnvFromSource[]> = (list, place) => {
  place.visitItems(list ?? [], (element, at, here) => {
    if (element.prefix) variableName(element.prefix, at.child("prefix"));
    if (element.configMapRef) wholeObject(element.configMapRef, at.child("configMapRef"));
    if (element.secretRef) wholeObject(element.secretRef, at.child("secretRef"));
    const count = countSources(element, ["configMapRef", "secretRef"]);
    if (count === 0) here.invalid("", "must specify one of: `configMapRef` or `secretRef`");
    if (count > 1) here.invalid("", "may not have more than one field specified at a time");
  });
};
