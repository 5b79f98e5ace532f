/** A pod spec, of a pod or of a template: every field's rule, in kube-apiserver's order. */
import type {
  FileKeySelector,
  PodReadinessGate,
  PodSchedulingGate,
  PodSchedulingGroup,
  PodSpec,
} from "@homeostat/object-model/core-v1";
import {
  dns1123Label,
  dns1123Subdomain,
  eachLater,
  fields,
  ifPresent,
  ifSet,
  inRange,
  type Place,
  qualifiedName,
  type Rule,
} from "@homeostat/schema";
import { affinityRule } from "../affinity.ts";
import { choice } from "../checks/choices.ts";
import { labels } from "../checks/labels.ts";
import { isUnreservedPath } from "../checks/paths.ts";
import type { PodFacts } from "../pod-facts.ts";
import { tolerationsRule } from "../tolerations.ts";
import { topologySpreadRule } from "../topology-spread.ts";
import { volumesRule } from "../volumes/volumes-rule.ts";
import type { ContainerFacts } from "./container-facts.ts";
import { nameOf, visitContainers } from "./container-lists.ts";
import { containersRule, ephemeralContainersRule, initContainersRule } from "./containers.ts";
import { podClaimsRule } from "./pod-claims.ts";
import { checkHostnameOverride, dnsConfigRule, hostAliasesRule } from "./pod-dns.ts";
import { checkHostUsers, checkPortsOnHostNetwork } from "./pod-namespaces.ts";
import { checkHostProcess, checkOperatingSystem } from "./pod-os.ts";
import { checkPodResources } from "./pod-resources.ts";
import { podSecurityContextRule } from "./pod-security-context.ts";
import { containerResourcesRule } from "./resource-requirements.ts";

const MAX_INT32 = 2 ** 31 - 1;

const schedulingGates: Rule<readonly PodSchedulingGate[]> = (list, place) => {
  const names = new Set<string>();
  place.visitItems(list ?? [], (gate, at) => {
    const name = nameOf(gate);
    qualifiedName(name, at);
    if (names.has(name)) at.duplicate(name);
    names.add(name);
  });
};

const schedulingGroup: Rule<PodSchedulingGroup> = (group, place) => {
  if (group === undefined) return;
  const at = place.child("podGroupName");
  if (group.podGroupName !== undefined) dns1123Subdomain(group.podGroupName, at);
  else at.invalid(null, "must specify one of: `podGroupName`");
};

const containerLists = fields<PodSpec, ContainerFacts>({
  resourceClaims: podClaimsRule,
  containers: containersRule,
  initContainers: initContainersRule,
  ephemeralContainers: ephemeralContainersRule,
});

const policies = fields<PodSpec, PodFacts>({
  restartPolicy: choice("Always", "OnFailure", "Never"),
  dnsPolicy: choice("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"),
  nodeSelector: labels,
  securityContext: podSecurityContextRule,
  affinity: (value, place) => affinityRule(place.context.old?.affinity)(value, place),
  dnsConfig: dnsConfigRule,
  readinessGates: eachLater(fields<PodReadinessGate>({ conditionType: qualifiedName })),
  schedulingGates,
  topologySpreadConstraints: (value, place) =>
    topologySpreadRule(place.context.old?.topologySpreadConstraints)(value, place),
});

const names = fields<PodSpec, PodFacts>({
  serviceAccountName: ifSet(dns1123Subdomain),
  nodeName: ifSet(dns1123Subdomain),
  activeDeadlineSeconds: ifPresent(inRange(1, MAX_INT32)),
  hostname: ifSet(dns1123Label),
  subdomain: ifSet(dns1123Label),
  tolerations: tolerationsRule,
  hostAliases: hostAliasesRule,
  priorityClassName: ifSet(dns1123Subdomain),
  runtimeClassName: ifPresent(dns1123Subdomain),
  preemptionPolicy: ifPresent(choice("PreemptLowerPriority", "Never")),
  overhead: (limits, place) => {
    if (limits !== undefined) containerResourcesRule(new Set())({ limits }, place);
  },
});

/** Values of environments may come from files of volumes that live as long as the pod. */
function checkFileVolumes(spec: Readonly<PodSpec>, place: Place): void {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [nameOf(volume), volume]));
  visitContainers(spec, place, (container, at) => {
    at.child("env").visitItems(container.env ?? [], ({ valueFrom }, variable) => {
      const file: Partial<FileKeySelector> | undefined = valueFrom?.fileKeyRef;
      if (file === undefined) return;
      const { volumeName = "" } = file;
      const named = variable.child("valueFrom.fileKeyRef.volumeName");
      const volume = volumes.get(volumeName);
      if (volume === undefined) named.notFound(volumeName);
      else if (!volume.emptyDir) {
        named.invalid(volumeName, "referenced volume must be of type emptyDir");
      }
    });
  });
}

export const podSpecRule: Rule<PodSpec, PodFacts> = (value, place) => {
  const { spec } = place.context;
  if (spec.terminationGracePeriodSeconds === undefined) {
    place.child("terminationGracePeriodSeconds").required();
  }
  const inside = place.knowing<ContainerFacts>({
    ...place.context,
    volumes: checkVolumes(spec, place),
    claimNames: new Set((spec.resourceClaims ?? []).map(nameOf).filter(Boolean)),
  });
  containerLists(value, inside);
  checkPodResources(spec, inside);
  checkPortsOnHostNetwork(spec, place);
  policies(value, place);
  checkHostProcess(spec, place);
  checkHostUsers(spec, place);
  checkHostnameOverride(spec, place);
  names(value, place);
  checkOperatingSystem(spec, place);
  schedulingGroup(spec.schedulingGroup, place.child("schedulingGroup"));
  checkFileVolumes(spec, place);
};

function checkVolumes(spec: Readonly<PodSpec>, place: Place<PodFacts>): ContainerFacts["volumes"] {
  const { isPod, metadata, old } = place.context;
  return volumesRule(spec.volumes ?? undefined, place.child("volumes"), {
    podName: metadata?.name ?? "",
    isPod,
    anyTokenPath: hadForeignTokenPath(old),
  });
}

/** Whether the pod that is updated keeps a token outside of its volume. */
function hadForeignTokenPath(old: Readonly<PodSpec> | undefined): boolean {
  return (old?.volumes ?? []).some((volume) =>
    (volume.projected?.sources ?? []).some(
      ({ serviceAccountToken: token }) => token && !isUnreservedPath(token.path ?? ""),
    ),
  );
}
