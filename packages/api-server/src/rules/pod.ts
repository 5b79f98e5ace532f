/** What a Pod gets and a pod template does not, and what it has to be: see `pods/`. */
import type {
  Container,
  ContainerStatus,
  Pod,
  PodSpec,
  PodStatus,
} from "@homeostat/object-model/core-v1";
import { dropInitContainerAnnotations } from "./init-container-annotations.ts";
import { setPodLevelDefaults } from "./pod-level-resources.ts";
import { changedPodRule, newPodRule } from "./pods/pod-rule.ts";
import { addMissingResources } from "./resource-list.ts";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const podRules: readonly NamedTypeRules[] = [
  rulesFor<Pod>("core.v1.Pod", {
    setDefaults: setPodDefaults,
    normalize: normalizePod,
    validate: newPodRule,
    validateChange: changedPodRule,
  }),
  rulesFor<ContainerStatus>("core.v1.ContainerStatus", { resourceLists: ["allocatedResources"] }),
  rulesFor<PodStatus>("core.v1.PodStatus", {
    resourceLists: ["allocatedResources"],
    normalize: mirrorPodIp,
  }),
];

function setPodDefaults(pod: Unchecked<Pod>): void {
  pod.spec ??= {};
  const { spec } = pod;
  for (const container of spec.containers ?? []) requestLimits(container);
  for (const container of spec.initContainers ?? []) requestLimits(container);
  setPodLevelDefaults(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) useHostPorts(spec);
}

/** A limit without a request is a request too. */
function requestLimits(container: Unchecked<Container>): void {
  const { resources } = container;
  if (!resources?.limits) return;
  resources.requests ??= {};
  addMissingResources(resources.requests, resources.limits);
}

/** On the host's network a container port is a port of the host. */
function useHostPorts(spec: Unchecked<PodSpec>): void {
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    for (const port of container.ports ?? []) {
      if (port.containerPort) port.hostPort ||= port.containerPort;
    }
  }
}

function normalizePod(pod: Unchecked<Pod>): void {
  dropInitContainerAnnotations(pod.metadata);
  const grace = pod.spec?.terminationGracePeriodSeconds;
  if (pod.spec && grace !== undefined && grace < 0) pod.spec.terminationGracePeriodSeconds = 1;
}

/** `podIP` is the first of `podIPs`; where they differ the single one is right. */
function mirrorPodIp(status: Unchecked<PodStatus>): void {
  const { podIP, podIPs } = status;
  const first = podIPs?.[0]?.ip;
  if (podIP && podIP !== first) status.podIPs = [{ ip: podIP }];
  else if (first) status.podIP = first;
}
