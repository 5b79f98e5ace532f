/**
 * The containers of a pod: ordinary ones, init containers (which run one after the other, or beside
 * the rest as sidecars) and ephemeral ones. What is common to all is written once; each list adds
 * what only its containers may or may not do, in kube-apiserver's order.
 */
import type { Container, EphemeralContainer } from "@homeostat/object-model/core-v1";
import { dns1123Label, fields, type Place, type Rule, required } from "@homeostat/schema";
import { choice } from "../checks/choices.ts";
import { requiredThen } from "../checks/required-then.ts";
import type { ContainerFacts } from "./container-facts.ts";
import { isSidecar, nameOf } from "./container-lists.ts";
import { checkHostPorts, containerPortsRule } from "./container-ports.ts";
import {
  checkInitRestartPolicy,
  checkRestartPolicy,
  resizePolicyRule,
} from "./container-restarts.ts";
import { environmentFromRule, environmentRule } from "./environment.ts";
import { checkProbes, refuseProbes } from "./probes.ts";
import { containerResourcesRule } from "./resource-requirements.ts";
import { securityContextRule } from "./security-context.ts";
import { checkVolumeDevices, checkVolumeMounts } from "./volume-mounts.ts";

type ContainerPlace = Place<ContainerFacts>;
type ContainerRule = Rule<Container, ContainerFacts>;

const beforeVolumes: ContainerRule = fields<Container, ContainerFacts>({
  name: requiredThen(dns1123Label),
  image: required,
  terminationMessagePolicy: choice("File", "FallbackToLogsOnError"),
  ports: containerPortsRule,
  env: environmentRule,
  envFrom: environmentFromRule,
});

const afterVolumes: ContainerRule = fields<Container, ContainerFacts>({
  imagePullPolicy: choice("Always", "IfNotPresent", "Never"),
  resources: (value, place) => containerResourcesRule(place.context.claimNames)(value, place),
  resizePolicy: resizePolicyRule,
  securityContext: securityContextRule,
});

function checkCommon(container: Readonly<Container>, place: ContainerPlace): void {
  beforeVolumes(container, place);
  checkVolumeMounts(container, place);
  checkVolumeDevices(container, place);
  afterVolumes(container, place);
}

/** In pods an image is exactly its name; templates may hold anything that becomes one. */
export function checkImageOfPod({ image = "" }: Readonly<Container>, place: Place): void {
  if (image.trim() !== image) {
    place.child("image").invalid(image, "must not have leading or trailing whitespace");
  }
}

export const containersRule: Rule<readonly Container[], ContainerFacts> = (list, place) => {
  if (list === undefined || list.length === 0) return place.required();
  const names = new Set<string>();
  place.visitItems(list, (container, at) => {
    const name = nameOf(container);
    checkCommon(container, at);
    if (names.has(name)) at.child("name").duplicate(name);
    names.add(name);
    checkProbes(container, at);
    checkRestartPolicy(container, at);
  });
  checkHostPorts(list, place);
};

export const initContainersRule: Rule<readonly Container[], ContainerFacts> = (list, place) => {
  const { spec, old } = place.context;
  const names = new Set((spec.containers ?? []).map(nameOf));
  const hadRestarts = (old?.initContainers ?? []).some(
    (container) => !isSidecar(container) && restartsOnResize(container).length > 0,
  );
  place.visitItems(list ?? [], (container, at, here) => {
    const name = nameOf(container);
    checkCommon(container, at);
    checkInitRestartPolicy(container, at);
    if (names.has(name)) at.child("name").duplicate(name);
    else if (name !== "") names.add(name);
    // They run one at a time, so each may use the ports of another; told as if it were the first.
    checkHostPorts([container], here);
    if (isSidecar(container)) checkProbes(container, at);
    else {
      refuseProbes(container, at);
      for (const number of hadRestarts ? [] : restartsOnResize(container)) {
        const why = "must not be set to 'RestartContainer' for non-sidecar initContainers";
        const policy = at.child("resizePolicy").index(number).child("restartPolicy");
        policy.invalid("RestartContainer", why);
      }
    }
  });
};

/** Indexes of the resize policies that restart the container. */
function restartsOnResize(container: Readonly<Container>): readonly number[] {
  return [...(container.resizePolicy ?? []).entries()]
    .filter(([, { restartPolicy }]) => restartPolicy === "RestartContainer")
    .map(([index]) => index);
}

export const ephemeralContainersRule: Rule<readonly EphemeralContainer[], ContainerFacts> = (
  list,
  place,
) => {
  const { containers, initContainers } = place.context.spec;
  const others = new Set([...(containers ?? []), ...(initContainers ?? [])].map(nameOf));
  const names = new Set(others);
  place.visitItems(list ?? [], (ephemeral, at) => {
    const { targetContainerName = "" } = ephemeral;
    const name = nameOf(ephemeral);
    const container = ephemeral as Container;
    checkCommon(container, at);
    checkImageOfPod(container, at);
    if (names.has(name)) at.child("name").duplicate(name);
    names.add(name);
    if (targetContainerName !== "" && !others.has(targetContainerName)) {
      at.child("targetContainerName").notFound(targetContainerName);
    }
    refuseForEphemeral(container, at);
  });
};

/** What makes a container part of the work of its pod; an ephemeral one is there to look at it. */
const NOT_EPHEMERAL = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;

function refuseForEphemeral(container: Readonly<Container>, place: ContainerPlace): void {
  const why = "cannot be set for an Ephemeral Container";
  for (const name of NOT_EPHEMERAL) {
    if (isSet(container, name)) place.child(name).forbidden(why);
  }
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const at = place.child("volumeMounts").index(index);
    if (mount.subPath) at.child("subPath").forbidden(why);
    if (mount.subPathExpr) at.child("subPathExpr").forbidden(why);
  }
}

/** Resources are always there; they are set when any of them is. */
function isSet(container: Readonly<Container>, name: (typeof NOT_EPHEMERAL)[number]): boolean {
  if (name !== "resources") return container[name] !== undefined;
  return Object.values(container.resources ?? {}).some((part) => part !== undefined);
}
