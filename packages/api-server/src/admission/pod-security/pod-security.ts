import {
  ApiError,
  compareBytewise,
  equalJson,
  type FieldError,
  type KubernetesObject,
} from "@homeostat/object-model";
import type {
  Container,
  EphemeralContainer,
  Namespace,
  Pod,
  PodTemplateSpec,
} from "@homeostat/object-model/core-v1";
import type {
  EvaluatedRequest,
  Evaluation,
  PodSecurityFigures,
} from "../../figures/pod-security-figures.ts";
import type { ObjectReader } from "../../registry/strategy.ts";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "../admission.ts";
import type { KnownObjects } from "../known-objects.ts";
import {
  countedVersion,
  isSameLevel,
  isStricter,
  type LevelVersion,
  type PodSecurityPolicy,
  policyOf,
  printLevel,
} from "./policy.ts";
import type { CheckedPod } from "./security-check.ts";
import { printDetails, violations } from "./standards.ts";

const PODS = { group: "", resource: "pods" };
const NAMESPACES = "namespaces";
/** More pods of a namespace are not looked at when its level changes. */
const MAX_PODS = 3000;
/** Notes for the audit log: what was enforced. */
const ENFORCED = "pod-security.kubernetes.io/enforce-policy";
const FREE = "privileged:latest";
const IGNORED = new Set([
  "exec",
  "attach",
  "binding",
  "eviction",
  "log",
  "portforward",
  "proxy",
  "status",
]);

export interface PodSecurityPlane {
  readonly reader: Pick<ObjectReader, "list">;
  readonly figures: PodSecurityFigures;
}

interface KnownPolicy {
  readonly policy: PodSecurityPolicy;
  readonly errors: readonly FieldError[];
}

/** Refuses pods that the labels of their namespace forbid, and warns of what would make such. */
export class PodSecurity implements AdmissionPlugin {
  readonly name = "PodSecurity";
  readonly resources: readonly string[] = [
    NAMESPACES,
    "pods",
    "replicationcontrollers",
    "podtemplates",
    "replicasets.apps",
    "deployments.apps",
    "statefulsets.apps",
    "daemonsets.apps",
    "jobs.batch",
    "cronjobs.batch",
  ];
  readonly #namespaces: KnownObjects<Namespace>;
  readonly #reader: Pick<ObjectReader, "list">;
  readonly #figures: PodSecurityFigures;
  readonly #policies = new WeakMap<object, KnownPolicy>();

  constructor(namespaces: KnownObjects<Namespace>, { reader, figures }: PodSecurityPlane) {
    this.#namespaces = namespaces;
    this.#reader = reader;
    this.#figures = figures;
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    const { operation } = change;
    if (operation !== "CREATE" && operation !== "UPDATE") return;
    const { resource } = request.served.stored.groupResource;
    if (resource === NAMESPACES) this.#checkNamespace(change, request);
    else if (resource === "pods") this.#checkPod(change, request);
    else this.#checkTemplate(change, request);
  }

  #checkNamespace({ operation, object, old }: AdmittedChange, request: AdmissionRequest): void {
    if (request.subresource !== "") return;
    const { policy, errors } = policyOf(object?.metadata?.labels);
    const before = operation === "UPDATE" ? policyOf(old?.metadata?.labels) : undefined;
    if (errors.length > 0 && !isSameErrors(errors, before?.errors ?? [])) {
      const { kind, group } = request.kind;
      throw ApiError.invalid({ group: group ?? "", kind }, request.name, errors);
    }
    if (before === undefined) return;
    const { enforce } = policy;
    const was = before.policy.enforce;
    if (isSameLevel(enforce, was) || enforce.level === "privileged") return;
    if (enforce.minor === was.minor && !isStricter(enforce, was)) return;
    for (const warning of this.#warningsOf(object?.metadata?.name ?? "", enforce)) {
      request.warn(warning);
    }
  }

  #checkPod(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    if (IGNORED.has(request.subresource)) return;
    const { policy, errors } = this.#policyOf(request.namespace);
    const { enforce, audit, warn } = policy;
    const isFree = [enforce, audit, warn].every(({ level }) => level === "privileged");
    const about = evaluatedRequest(change, request);
    if (isFree && errors.length === 0) {
      this.#count(about, { decision: "allow", mode: "enforce" }, enforce);
      return request.annotate(ENFORCED, FREE);
    }
    const pod = change.object as Pod;
    if (change.operation === "UPDATE" && !isSignificant(pod, change.old as Pod)) return;
    const checked = asChecked(pod);
    if (checked === undefined) return;
    request.annotate(ENFORCED, printLevel(enforce));
    const found = violations(checked, enforce);
    const decision = found.length > 0 ? "deny" : "allow";
    this.#count(about, { decision, mode: "enforce" }, enforce);
    this.#note(checked, { policy, errors }, { request, about });
    if (found.length > 0) {
      const why = `violates PodSecurity ${JSON.stringify(printLevel(enforce))}: ${printDetails(found)}`;
      throw ApiError.forbidden(PODS, request.name || (pod.metadata?.name ?? ""), why);
    }
    this.#warn(checked, warn, { request, about });
  }

  #checkTemplate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    if (request.subresource !== "") return;
    const known = this.#policyOf(request.namespace);
    const { audit, warn } = known.policy;
    const isFree = audit.level === "privileged" && warn.level === "privileged";
    if (isFree && known.errors.length === 0) return;
    const template = templateOf(change.object!);
    const checked = template && asChecked(template);
    if (checked === undefined) return;
    const about = evaluatedRequest(change, request);
    this.#note(checked, known, { request, about });
    this.#warn(checked, warn, { request, about });
  }

  #note(pod: CheckedPod, { policy, errors }: KnownPolicy, { request, about }: Judged): void {
    const { annotate } = request;
    if (errors.length > 0) {
      this.#figures.misread(about);
      const text = errors.map(String).join(", ");
      const all = errors.length === 1 ? text : `[${text}]`;
      annotate("pod-security.kubernetes.io/error", `Failed to parse policy: ${all}`);
    }
    const found = violations(pod, policy.audit);
    if (found.length > 0) {
      this.#count(about, { decision: "deny", mode: "audit" }, policy.audit);
      annotate(
        "pod-security.kubernetes.io/audit-violations",
        wouldViolate(policy.audit, printDetails(found)),
      );
    }
  }

  #warn(pod: CheckedPod, level: LevelVersion, { request, about }: Judged): void {
    const found = violations(pod, level);
    if (found.length === 0) return;
    this.#count(about, { decision: "deny", mode: "warn" }, level);
    request.warn(wouldViolate(level, printDetails(found)));
  }

  #count(
    about: EvaluatedRequest,
    verdict: Pick<Evaluation, "decision" | "mode">,
    judged: LevelVersion,
  ): void {
    const { level } = judged;
    this.#figures.evaluated({ ...verdict, level, version: countedVersion(judged) }, about);
  }

  #policyOf(namespace: string): KnownPolicy {
    const found = this.#namespaces.get(namespace);
    if (found === undefined) return policyOf(undefined);
    let known = this.#policies.get(found);
    if (known === undefined) {
      known = policyOf(found.metadata?.labels);
      this.#policies.set(found, known);
    }
    return known;
  }

  /** What a new level would have refused of what is there. */
  #warningsOf(namespace: string, level: LevelVersion): string[] {
    const pods = prioritized([...this.#reader.list(PODS, namespace)] as Pod[]);
    const checked = pods.slice(0, MAX_PODS);
    const names = new Map<string, string[]>();
    for (const pod of checked) {
      const found = violations(asChecked(pod)!, level);
      if (found.length === 0) continue;
      const reasons = found.map(({ reason }) => reason).join(", ");
      names.set(reasons, [...(names.get(reasons) ?? []), pod.metadata?.name ?? ""]);
    }
    const warnings = [...names].map(([reasons, [...all]]) => `${printPods(all)}: ${reasons}`);
    const shown = JSON.stringify(printLevel(level));
    return [
      ...(checked.length < pods.length
        ? [
            `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`,
          ]
        : []),
      ...(warnings.length > 0
        ? [
            `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${shown}`,
          ]
        : []),
      ...warnings.toSorted(compareBytewise),
    ];
  }
}

/** What is judged, and where it is told. */
interface Judged {
  readonly request: AdmissionRequest;
  readonly about: EvaluatedRequest;
}

function evaluatedRequest(
  { operation }: Readonly<AdmittedChange>,
  { served, subresource }: AdmissionRequest,
): EvaluatedRequest {
  return {
    operation: operation === "CREATE" ? "create" : "update",
    resource: served.stored.groupResource.resource === "pods" ? "pod" : "controller",
    subresource,
  };
}

function wouldViolate(level: LevelVersion, details: string): string {
  return `would violate PodSecurity ${JSON.stringify(printLevel(level))}: ${details}`;
}

function printPods(names: readonly string[]): string {
  const [first = ""] = names.toSorted(compareBytewise);
  const others = names.length - 1;
  if (others === 0) return first;
  return `${first} (and ${others} other ${others === 1 ? "pod" : "pods"})`;
}

/** One of each controller first. */
function prioritized(pods: readonly Pod[]): Pod[] {
  const seen = new Set<string>();
  const first: Pod[] = [];
  const more: Pod[] = [];
  for (const pod of pods) {
    const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller === true);
    if (owner !== undefined && seen.has(owner.uid)) more.push(pod);
    else first.push(pod);
    if (owner !== undefined) seen.add(owner.uid);
  }
  return [...first, ...more];
}

function isSameErrors(a: readonly FieldError[], b: readonly FieldError[]): boolean {
  return equalJson(a.map(String), b.map(String));
}

function asChecked({ metadata = {}, spec }: Pod | PodTemplateSpec): CheckedPod | undefined {
  return spec && { metadata, spec };
}

interface Templated extends KubernetesObject {
  readonly template?: PodTemplateSpec;
  readonly spec?: {
    readonly template?: PodTemplateSpec;
    readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplateSpec } };
  };
}

function templateOf(object: KubernetesObject): PodTemplateSpec | undefined {
  const { template, spec } = object as Templated;
  return spec?.template ?? spec?.jobTemplate?.spec?.template ?? template;
}

/** Of what can change in a pod, its images decide what it is. */
function isSignificant({ spec }: Pod, { spec: old }: Pod): boolean {
  if (spec === undefined || old === undefined) return spec !== old;
  return (
    hasChanged(spec.containers, old.containers) ||
    hasChanged(spec.initContainers, old.initContainers) ||
    (spec.ephemeralContainers ?? []).some(
      (each) =>
        old.ephemeralContainers?.find(({ name }) => name === each.name)?.image !== each.image,
    )
  );
}

type Imaged = Pick<Container | EphemeralContainer, "image">;

function hasChanged(now: readonly Imaged[] = [], before: readonly Imaged[] = []): boolean {
  return now.length !== before.length || now.some(({ image }, at) => image !== before[at]!.image);
}
