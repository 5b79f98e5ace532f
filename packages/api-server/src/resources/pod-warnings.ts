/**
 * What is allowed in a pod spec and yet likely a mistake: the texts of Warning headers for pods and
 * for templates of pods, in kube-apiserver's order.
 */

import {
  checkLabelValue,
  FieldPath,
  type ObjectMeta,
  ownKey,
  Quantity,
} from "@homeostat/object-model";
import type {
  Container,
  ContainerPort,
  EnvVar,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodSpec,
  Volume,
} from "@homeostat/object-model/core-v1";
import { ipWarnings } from "../rules/checks/ip-addresses.ts";
import { SECCOMP_CONTAINER, SECCOMP_POD } from "../rules/pods/pod-annotations.ts";
import { appArmorWarning } from "./app-armor-annotations.ts";
import { deprecatedNodeLabel } from "./deprecated-node-labels.ts";
import { volumePathWarnings } from "./volume-path-warnings.ts";
import { warnAt } from "./warn-at.ts";

interface PodLike {
  readonly metadata?: Readonly<ObjectMeta> | undefined;
  readonly spec?: Readonly<PodSpec> | undefined;
}

const DEPRECATED_ANNOTATIONS = [
  [
    "scheduler.alpha.kubernetes.io/critical-pod",
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [
    "security.alpha.kubernetes.io/sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
  [
    "security.alpha.kubernetes.io/unsafe-sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
] as const;

const DEPRECATED_VOLUMES = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const satisfies readonly (readonly [keyof Volume, string])[];

const NULL_SELECTOR = "a null labelSelector results in matching no pod";

/** `prefix` is where the template is (`spec.template`), "" for a pod. */
export function podWarnings({ metadata, spec }: PodLike, prefix: string): readonly string[] {
  if (spec === undefined) return [];
  const at = (...names: [string, ...string[]]): FieldPath =>
    prefix === "" ? FieldPath.of(...names) : FieldPath.of(prefix, ...names);
  const containers = containersAt(spec, at("spec"));
  return [
    ...placementWarnings(spec, at("spec")),
    ...DEPRECATED_ANNOTATIONS.flatMap(([key, why]) =>
      ownKey(metadata?.annotations, key) === undefined
        ? []
        : [warnAt(at("metadata", "annotations").key(key), why)],
    ),
    ...(spec.volumes ?? []).flatMap((volume, index) =>
      volumeWarnings(volume, at("spec", "volumes").index(index)),
    ),
    ...volumePathWarnings(spec.volumes),
    ...listWarnings(spec, at("spec")),
    ...["memory", "ephemeral-storage"].flatMap((name) =>
      fractional(spec.overhead, name, at("spec", "overhead")),
    ),
    ...seccompWarning(metadata, SECCOMP_POD, {
      profile: spec.securityContext?.seccompProfile,
      path: at("metadata", "annotations"),
    }),
    ...containers.flatMap((placed) => [
      ...profileWarnings(
        placed.container,
        { metadata, spec },
        {
          path: at("metadata", "annotations"),
          isPod: prefix === "",
        },
      ),
      ...containerWarnings(placed),
    ]),
    ...portWarnings(containers),
    ...portNameWarnings(containers),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          warnAt(
            at("spec", "terminationGracePeriodSeconds"),
            "must be >= 0; negative values are invalid and will be treated as 1",
          ),
        ]
      : []),
    ...affinityWarnings(spec, at("spec", "affinity")),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      ipWarnings(at("spec", "dnsConfig", "nameservers").index(index).toString(), address),
    ),
    ...(spec.hostAliases ?? []).flatMap((alias, index) =>
      ipWarnings(at("spec", "hostAliases").index(index).child("ip").toString(), alias.ip),
    ),
  ];
}

/** Annotations that have become fields, where only the annotation is there. */
function profileWarnings(
  container: Readonly<Container>,
  { metadata, spec }: PodLike,
  { path, isPod }: { readonly path: FieldPath; readonly isPod: boolean },
): readonly string[] {
  const warnings = seccompWarning(metadata, `${SECCOMP_CONTAINER}${container.name ?? ""}`, {
    profile: container.securityContext?.seccompProfile,
    path,
  });
  // A pod is given the field: see `pods.ts`.
  if (isPod) return warnings;
  const ofPod = spec?.securityContext?.appArmorProfile;
  const deprecated = appArmorWarning(container, metadata?.annotations, ofPod);
  if (deprecated === undefined) return warnings;
  return [...warnings, warnAt(path.key(deprecated.key), deprecated.why)];
}

function seccompWarning(
  metadata: Readonly<ObjectMeta> | undefined,
  key: string,
  { profile, path }: { readonly profile: object | undefined; readonly path: FieldPath },
): readonly string[] {
  if (profile !== undefined || ownKey(metadata?.annotations, key) === undefined) return [];
  const why = 'non-functional in v1.27+; use the "seccompProfile" field instead';
  return [warnAt(path.key(key), why)];
}

interface PlacedContainer {
  readonly container: Readonly<Container>;
  readonly path: FieldPath;
}

function containersAt(spec: Readonly<PodSpec>, path: FieldPath): readonly PlacedContainer[] {
  return (["initContainers", "containers", "ephemeralContainers"] as const).flatMap((list) =>
    ((spec[list] ?? []) as readonly Container[]).map((container, index) => ({
      container,
      path: path.child(list).index(index),
    })),
  );
}

function placementWarnings(spec: Readonly<PodSpec>, path: FieldPath): readonly string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const why = deprecatedNodeLabel(key);
    if (why !== undefined) warnings.push(warnAt(path.child("nodeSelector").key(key), why));
  }
  const affinity = spec.affinity?.nodeAffinity;
  const affinityPath = path.child("affinity", "nodeAffinity");
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const [index, term] of (required?.nodeSelectorTerms ?? []).entries()) {
    const terms = affinityPath.child(
      "requiredDuringSchedulingIgnoredDuringExecution",
      "nodeSelectorTerms",
    );
    for (const each of nodeTermWarnings(term, terms.index(index), false)) warnings.push(each);
  }
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  for (const [index, { preference }] of preferred.entries()) {
    const at = affinityPath.child("preferredDuringSchedulingIgnoredDuringExecution").index(index);
    for (const each of nodeTermWarnings(preference, at.child("preference"), true))
      warnings.push(each);
  }
  for (const [index, constraint] of (spec.topologySpreadConstraints ?? []).entries()) {
    const at = path.child("topologySpreadConstraints").index(index);
    const why = deprecatedNodeLabel(constraint.topologyKey);
    if (why !== undefined) {
      warnings.push(warnAt(at.child("topologyKey"), `${constraint.topologyKey} is ${why}`));
    }
    if (!constraint.labelSelector) warnings.push(warnAt(at.child("labelSelector"), NULL_SELECTOR));
  }
  return warnings;
}

export function nodeTermWarnings(
  term: NodeSelectorTerm | undefined,
  path: FieldPath,
  checkValues: boolean,
): readonly string[] {
  return (term?.matchExpressions ?? []).flatMap(({ key, values }, index) => {
    const at = path.child("matchExpressions").index(index);
    const why = deprecatedNodeLabel(key);
    const warnings = why === undefined ? [] : [warnAt(at.child("key"), `${key} is ${why}`)];
    if (!checkValues) return warnings;
    for (const [place, value] of (values ?? []).entries()) {
      for (const problem of checkLabelValue(value)) {
        warnings.push(warnAt(at.child("values").index(place), `${value} is invalid, ${problem}`));
      }
    }
    return warnings;
  });
}

function volumeWarnings(volume: Volume, path: FieldPath): readonly string[] {
  const warnings: string[] = [];
  for (const [source, why] of DEPRECATED_VOLUMES) {
    // The only source whose path is not its name.
    const name = source === "storageos" ? "storageOS" : source;
    if (volume[source] !== undefined) warnings.push(warnAt(path.child(name), why));
  }
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  const at = path.child("ephemeral", "volumeClaimTemplate", "spec", "resources");
  for (const list of ["requests", "limits"] as const) {
    for (const each of fractional(claim?.resources?.[list], "storage", at.child(list)))
      warnings.push(each);
  }
  return warnings;
}

function listWarnings(spec: Readonly<PodSpec>, path: FieldPath): readonly string[] {
  const warnings: string[] = [];
  const addresses = new Set<string>();
  for (const [index, { ip = "" }] of (spec.hostAliases ?? []).entries()) {
    const at = path.child("hostAliases").index(index).child("ip");
    if (addresses.has(ip)) warnings.push(warnAt(at, `duplicate ip ${JSON.stringify(ip)}`));
    addresses.add(ip);
  }
  const secrets = new Set<string>();
  const pullSecrets = path.child("imagePullSecrets");
  for (const [index, { name = "" }] of (spec.imagePullSecrets ?? []).entries()) {
    const at = pullSecrets.index(index).child("name");
    if (secrets.has(name)) warnings.push(warnAt(at, `duplicate name ${JSON.stringify(name)}`));
    secrets.add(name);
  }
  for (const [index, { name }] of (spec.imagePullSecrets ?? []).entries()) {
    if (!name)
      warnings.push(warnAt(pullSecrets.index(index).child("name"), 'invalid empty name ""'));
  }
  return warnings;
}

function containerWarnings({ container, path }: PlacedContainer): readonly string[] {
  const { resources } = container;
  const warnings = ["memory", "ephemeral-storage"].flatMap((name) =>
    (["limits", "requests"] as const).flatMap((list) =>
      fractional(resources?.[list], name, path.child("resources", list)),
    ),
  );
  const names = new Set<string>();
  for (const [index, variable] of (container.env ?? []).entries()) {
    const { name } = variable;
    if (names.has(name) && !buildsOnEarlier(variable)) {
      const what = `hides previous definition of ${JSON.stringify(name)}`;
      warnings.push(
        warnAt(path.child("env").index(index), `${what}, which may be dropped when using apply`),
      );
    }
    names.add(name);
  }
  return warnings;
}

/** A later value may build on an earlier one of the same name; anything else hides it. */
function buildsOnEarlier({ name, value = "", valueFrom }: Readonly<EnvVar>): boolean {
  const reference = `$(${name})`;
  return valueFrom === undefined && value !== reference && value.includes(reference);
}

/** A quantity of bytes with a part after the point. */
export function fractional(
  amounts: { readonly [key: string]: string | number } | undefined,
  name: string,
  path: FieldPath,
): readonly string[] {
  const amount = ownKey(amounts, name);
  if (amount === undefined) return [];
  const quantity = Quantity.fromJson(amount);
  if (quantity.milliValue() % 1000n === 0n) return [];
  const text = JSON.stringify(quantity.canonical());
  return [warnAt(path.key(name), `fractional byte value ${text} is invalid, must be an integer`)];
}

function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const warnings: string[] = [];
  const known = new Map<string, { readonly path: FieldPath; readonly port: ContainerPort }[]>();
  for (const { container, path: containerPath } of containers) {
    for (const [index, port] of (container.ports ?? []).entries()) {
      const path = containerPath.child("ports").index(index);
      if (port.hostIP && !port.hostPort) {
        warnings.push(warnAt(path, `hostIP set without hostPort: ${printPort(port)}`));
      }
      const key = `${port.containerPort ?? 0}/${port.protocol ?? ""}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const clash = portClash(port, other.port);
        if (clash !== undefined)
          warnings.push(warnAt(path, `${clash} port definition with ${other.path.toString()}`));
      }
      known.set(key, [...others, { path, port }]);
    }
  }
  return warnings;
}

/** As Go prints a struct. */
function printPort(port: Partial<ContainerPort>): string {
  const { name = "", hostPort = 0, containerPort = 0, protocol = "", hostIP = "" } = port;
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

function portClash(port: ContainerPort, other: ContainerPort): string | undefined {
  const [ip, otherIp] = [port.hostIP ?? "", other.hostIP ?? ""];
  const [number, otherNumber] = [port.hostPort ?? 0, other.hostPort ?? 0];
  if (ip === otherIp && number === otherNumber) return "duplicate";
  if (number === 0 || otherNumber === 0) return "overlapping";
  const oneIsOpen = (ip === "") !== (otherIp === "");
  return number === otherNumber && oneIsOpen ? "dangerously ambiguous" : undefined;
}

function portNameWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const warnings: string[] = [];
  const known = new Map<string, string>();
  for (const { container, path } of containers) {
    for (const [index, { name }] of (container.ports ?? []).entries()) {
      if (!name) continue;
      const at = path.child("ports").index(index);
      const first = known.get(name);
      if (first === undefined) known.set(name, at.toString());
      else {
        warnings.push(
          warnAt(
            at,
            `duplicate port name ${JSON.stringify(name)} with ${first}, services and probes that select ports by name will use ${first}`,
          ),
        );
      }
    }
  }
  return warnings;
}

function affinityWarnings(spec: Readonly<PodSpec>, path: FieldPath): readonly string[] {
  const warnings: string[] = [];
  const check = (term: PodAffinityTerm | undefined, at: FieldPath): void => {
    if (!term?.labelSelector) warnings.push(warnAt(at.child("labelSelector"), NULL_SELECTOR));
  };
  for (const kind of ["podAffinity", "podAntiAffinity"] as const) {
    const required = "requiredDuringSchedulingIgnoredDuringExecution";
    for (const [index, term] of (spec.affinity?.[kind]?.[required] ?? []).entries()) {
      check(term, path.child(kind, required).index(index));
    }
    const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    for (const [index, term] of (spec.affinity?.[kind]?.[preferred] ?? []).entries()) {
      const at = path.child(kind, preferred).index(index);
      check(term.podAffinityTerm, at.child("podAffinityTerm"));
    }
  }
  return warnings;
}
