/** Annotations that mean something for a pod, and have to say the same as the fields after them. */
import { ownKey } from "@homeostat/object-model";
import type {
  AppArmorProfile,
  Container,
  PodSpec,
  SeccompProfile,
} from "@homeostat/object-model/core-v1";
import type { Place } from "@homeostat/schema";
import { descendingPath } from "../checks/paths.ts";
import type { PodFacts } from "../pod-facts.ts";
import { tolerationsRule } from "../tolerations.ts";
import { readTolerations } from "./annotated-tolerations.ts";
import { containersOf, nameOf, visitContainers } from "./container-lists.ts";

type Annotations = { readonly [key: string]: string } | undefined;

/** The pod is one that its node made and the API only shows. */
export const MIRROR_POD = "kubernetes.io/config.mirror";
const TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
export const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
export const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
export const APP_ARMOR_CONTAINER = "container.apparmor.security.beta.kubernetes.io/";
const LOCALHOST = "localhost/";
const RUNTIME_DEFAULT = "runtime/default";
const DOCKER_DEFAULT = "docker/default";
const UNCONFINED = "unconfined";

interface AnnotatedPod {
  readonly annotations: Annotations;
  readonly oldAnnotations?: Annotations;
  readonly isUpdate: boolean;
}

/** `place` is that of the annotations. */
export function checkPodAnnotations(pod: AnnotatedPod, place: Place<PodFacts>): void {
  const { annotations } = pod;
  if (annotations === undefined) return;
  const { spec } = place.context;
  const mirror = ownKey(annotations, MIRROR_POD);
  if (mirror !== undefined && !spec.nodeName) {
    const why = "must set spec.nodeName if mirror pod annotation is set";
    place.key(MIRROR_POD).invalid(mirror, why);
  }
  checkTolerations(ownKey(annotations, TOLERATIONS), place);
  const cost = ownKey(annotations, DELETION_COST);
  const wasWrong = pod.isUpdate && !isDeletionCost(ownKey(pod.oldAnnotations, DELETION_COST));
  if (!isDeletionCost(cost) && !wasWrong) {
    place.key(DELETION_COST).invalid(cost, "must be a 32bit integer");
  }
  checkSeccomp(annotations, place);
  checkAppArmor(annotations, spec, place);
}

function checkTolerations(text: string | undefined, place: Place<PodFacts>): void {
  if (!text) return;
  const read = readTolerations(text);
  if ("problem" in read) place.invalid(TOLERATIONS, read.problem);
  else tolerationsRule(read.tolerations, place.child(TOLERATIONS));
}

/** Absent is right; a plus sign or zeros in front are not. */
function isDeletionCost(text: string | undefined): boolean {
  if (text === undefined) return true;
  const number = Number(text);
  return /^(0|-\d+|[1-9]\d*)$/.test(text) && number >= -(2 ** 31) && number < 2 ** 31;
}

function checkSeccomp(annotations: NonNullable<Annotations>, place: Place): void {
  const ofPod = ownKey(annotations, SECCOMP_POD);
  if (ofPod !== undefined) checkSeccompName(ofPod, place.child(SECCOMP_POD));
  for (const [key, profile] of Object.entries(annotations)) {
    if (key.startsWith(SECCOMP_CONTAINER)) checkSeccompName(profile, place.child(key));
  }
}

function checkSeccompName(profile: string, place: Place): void {
  if ([RUNTIME_DEFAULT, DOCKER_DEFAULT, UNCONFINED].includes(profile)) return;
  if (profile.startsWith(LOCALHOST)) descendingPath(profile.slice(LOCALHOST.length), place);
  else place.invalid(profile, "must be a valid seccomp profile");
}

function checkAppArmor(
  annotations: NonNullable<Annotations>,
  spec: Readonly<PodSpec>,
  place: Place,
): void {
  const names = new Set(containersOf(spec).map(nameOf));
  for (const [key, profile] of Object.entries(annotations)) {
    if (!key.startsWith(APP_ARMOR_CONTAINER)) continue;
    const name = key.slice(APP_ARMOR_CONTAINER.length);
    if (!names.has(name)) {
      place.key(key).invalid(name, "container not found");
    }
    const isKnown = ["", RUNTIME_DEFAULT, UNCONFINED].includes(profile);
    if (!isKnown && !profile.startsWith(LOCALHOST)) {
      place.key(key).invalid(profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`);
    }
  }
}

/** On create, where both are given they have to agree; `place` is the spec's. */
export function checkProfilesAgree(
  annotations: Annotations,
  spec: Readonly<PodSpec>,
  place: Place,
): void {
  const ofPod = spec.securityContext?.seccompProfile;
  agree({ kind: "seccomp", text: ownKey(annotations, SECCOMP_POD), profile: ofPod }, place);
  visitContainers(spec, place, (container, at) => {
    const text = ownKey(annotations, `${SECCOMP_CONTAINER}${container.name}`);
    agree({ kind: "seccomp", text, profile: container.securityContext?.seccompProfile }, at);
  });
  if (spec.os?.name === "windows") return;
  visitContainers(spec, place, (container, at) => {
    const text = ownKey(annotations, `${APP_ARMOR_CONTAINER}${container.name}`);
    agree({ kind: "apparmor", text, profile: appArmorOf(container, spec) }, at);
  });
}

function appArmorOf(container: Readonly<Container>, spec: Readonly<PodSpec>) {
  return container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
}

interface ProfileTwice {
  readonly kind: "apparmor" | "seccomp";
  /** Of the annotation. */
  readonly text: string | undefined;
  /** Of the field. */
  readonly profile: AppArmorProfile | SeccompProfile | undefined;
}

function agree({ kind, text, profile }: ProfileTwice, place: Place): void {
  if (text === undefined || profile === undefined) return;
  const field = kind === "seccomp" ? "seccompProfile" : "appArmorProfile";
  const at = place.child("securityContext").child(field);
  const refuseType = (): void =>
    at.child("type").forbidden(`${kind} type in annotation and field must match`);
  switch (profile.type) {
    case "Unconfined":
      if (text !== UNCONFINED) refuseType();
      return;
    case "RuntimeDefault":
      if (text !== RUNTIME_DEFAULT && (kind !== "seccomp" || text !== DOCKER_DEFAULT)) refuseType();
      return;
    case "Localhost":
      if (!text.startsWith(LOCALHOST)) refuseType();
      else if (text.slice(LOCALHOST.length) !== profile.localhostProfile) {
        const why = `${kind} profile in annotation and field must match`;
        at.child("localhostProfile").forbidden(why);
      }
  }
}
