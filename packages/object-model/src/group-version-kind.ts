/**
 * The coordinates of a type: group, version and kind (or resource, its name in URLs). The core
 * group is "". Printing follows Kubernetes to the letter, since these texts end up in messages.
 */

import type { GroupVersionKind, GroupVersionResource } from "./generated/meta-v1.ts";
import type { TypeMeta } from "./object.ts";

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export class GroupVersionError extends Error {
  override readonly name: string = "GroupVersionError";
  readonly code = "group-version-malformed";
}

/** `apps/v1` or `v1`. The empty text is the empty group and version, as in an untyped object. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  if (apiVersion === "" || apiVersion === "/") return { group: "", version: "" };
  const slash = apiVersion.indexOf("/");
  if (slash === -1) return { group: "", version: apiVersion };
  if (apiVersion.includes("/", slash + 1)) {
    throw new GroupVersionError(`unexpected GroupVersion string: ${apiVersion}`);
  }
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

export function printApiVersion({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The type an object says it has; parts it does not say are "". */
export function groupVersionKindOf(object: TypeMeta): GroupVersionKind {
  return { ...parseApiVersion(object.apiVersion ?? ""), kind: object.kind ?? "" };
}

/** `apps/v1, Kind=Deployment`; for the core group `/v1, Kind=Pod`. */
export function printGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** `apps/v1, Resource=deployments`. */
export function printGroupVersionResource(type: GroupVersionResource): string {
  return `${type.group}/${type.version}, Resource=${type.resource}`;
}

/** `Deployment.apps`; for the core group `Pod`. */
export function printGroupKind({ group, kind }: GroupKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** `deployments.apps`; for the core group `pods`. */
export function printGroupResource({ group, resource }: GroupResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** Everything after the first dot is the group. */
export function parseGroupKind(text: string): GroupKind {
  const dot = text.indexOf(".");
  if (dot === -1) return { group: "", kind: text };
  return { group: text.slice(dot + 1), kind: text.slice(0, dot) };
}

/** Everything after the first dot is the group. */
export function parseGroupResource(text: string): GroupResource {
  const { group, kind } = parseGroupKind(text);
  return { group, resource: kind };
}
