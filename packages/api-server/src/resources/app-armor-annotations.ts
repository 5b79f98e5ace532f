/**
 * AppArmor profiles that are still said in annotations: a new pod gets the fields that they stand
 * for, unless a field says it already.
 */
import { equalJson, ownKey } from "@homeostat/object-model";
import type { AppArmorProfile, Container, Pod } from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import { APP_ARMOR_CONTAINER } from "../rules/pods/pod-annotations.ts";
import { appArmorProfileRule } from "../rules/pods/security-profiles.ts";

const DEPRECATED = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/** Returns what to warn of: annotations that stand alone, or for nothing that could be a field. */
export function copyAppArmorAnnotations(pod: Pod): readonly string[] {
  const { spec } = pod;
  if (spec === undefined || spec.os?.name === "windows") return [];
  const lists = [spec.initContainers, spec.containers, spec.ephemeralContainers];
  const containers = lists.flatMap((list): Container[] => list ?? []);
  return containers.flatMap((container) => {
    const annotation = appArmorAnnotationOf(container, pod.metadata.annotations);
    if (annotation === undefined || container.securityContext?.appArmorProfile) return [];
    const profile = profileOf(annotation.value);
    if (profile !== undefined) {
      if (sameProfile(profile, spec.securityContext?.appArmorProfile)) return [];
      container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    }
    return [`metadata.annotations[${annotation.key}]: ${DEPRECATED}`];
  });
}

/** The same warning for a template, whose fields stay as they are; `path` is that of annotations. */
export function appArmorWarning(
  container: Readonly<Container>,
  annotations: { readonly [key: string]: string } | undefined,
  ofPod: AppArmorProfile | undefined,
): { readonly key: string; readonly why: string } | undefined {
  const annotation = appArmorAnnotationOf(container, annotations);
  if (annotation === undefined || container.securityContext?.appArmorProfile) return undefined;
  if (ofPod !== undefined && sameProfile(annotationProfile(annotation.value), ofPod)) {
    return undefined;
  }
  return { key: annotation.key, why: DEPRECATED };
}

function appArmorAnnotationOf(
  container: Readonly<Container>,
  annotations: { readonly [key: string]: string } | undefined,
): { readonly key: string; readonly value: string } | undefined {
  const key = `${APP_ARMOR_CONTAINER}${container.name ?? ""}`;
  const value = ownKey(annotations, key);
  return value === undefined ? undefined : { key, value };
}

/** Undefined for what is no profile, or not a valid one. */
function profileOf(text: string): AppArmorProfile | undefined {
  const profile = annotationProfile(text);
  const place = Place.root(undefined);
  appArmorProfileRule(profile, place);
  return place.errors.length === 0 ? profile : undefined;
}

function annotationProfile(text: string): AppArmorProfile | undefined {
  if (text === "unconfined") return { type: "Unconfined" };
  if (text === "runtime/default") return { type: "RuntimeDefault" };
  const name = text.startsWith("localhost/") ? text.slice("localhost/".length) : "";
  return name === "" ? undefined : { type: "Localhost", localhostProfile: name };
}

function sameProfile(
  one: AppArmorProfile | undefined,
  other: AppArmorProfile | undefined,
): boolean {
  return equalJson(one ?? null, other ?? null);
}
