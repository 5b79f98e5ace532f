/**
 * Pod security: what a pod may ask of its node. A check looks at a pod and says what is forbidden about
 * it; which checks count is said by a level and a version of the policy (`standards.ts`), which the
 * labels of a namespace name (`policy.ts`). Checks are in the files beside, by what they look at.
 */
import type { ObjectMeta } from "@homeostat/object-model";
import { compareBytewise } from "@homeostat/object-model";
import type { Container, EphemeralContainer, PodSpec } from "@homeostat/object-model/core-v1";

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export interface CheckedPod {
  readonly metadata: Readonly<ObjectMeta>;
  readonly spec: Readonly<PodSpec>;
}

/** Undefined: nothing is forbidden. */
export type SecurityCheck = (pod: CheckedPod) => Violation | undefined;

export type AnyContainer = Readonly<Container | EphemeralContainer>;

export function containersOf({ spec }: CheckedPod): readonly AnyContainer[] {
  return [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
}

/** The names of the containers of which something is true. */
export function namesOf(pod: CheckedPod, isBad: (container: AnyContainer) => boolean): string[] {
  return containersOf(pod)
    .filter(isBad)
    .map(({ name }) => name);
}

/** `container "a"`, `containers "a", "b"`. */
export function containersNamed(names: readonly string[]): string {
  return `${plural("container", names.length)} ${quoted(names)}`;
}

/** Who sets something: the pod, containers, or both. */
export function setters(byPod: boolean, containers: readonly string[]): string | undefined {
  const who = [
    ...(byPod ? ["pod"] : []),
    ...(containers.length > 0 ? [containersNamed(containers)] : []),
  ];
  return who.length === 0 ? undefined : who.join(" and ");
}

export function plural(singular: string, count: number): string {
  return count === 1 ? singular : `${singular}s`;
}

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(", ");
}

/** Each once, in order. */
export function sorted(items: Iterable<string>): string[] {
  return [...new Set(items)].toSorted(compareBytewise);
}

export function isWindows({ spec }: CheckedPod): boolean {
  return spec.os?.name === "windows";
}

/** Root inside is nobody outside. */
export function hasOwnUsers({ spec }: CheckedPod): boolean {
  return spec.hostUsers === false;
}
