import { compareBytewise, ownKey, Quantity, setOwnKey } from "@homeostat/object-model";
import type {
  Container,
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from "@homeostat/object-model/core-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import type { KnownObjects } from "./known-objects.ts";
import { limitProblems } from "./limit-problems.ts";
import { forbidden } from "./refusal.ts";
import { amountsOf, podAmounts, type ResourceAmounts } from "./resource-amounts.ts";

const ANNOTATION = "kubernetes.io/limit-ranger";

/** The limit ranges of a namespace: defaults for containers, and bounds for what pods and claims ask. */
export class LimitRanger implements AdmissionPlugin {
  readonly name = "LimitRanger";
  readonly resources: readonly string[] = ["persistentvolumeclaims", "pods"];
  readonly #ranges: KnownObjects<LimitRange>;

  constructor(ranges: KnownObjects<LimitRange>) {
    this.#ranges = ranges;
  }

  mutate(change: AdmittedChange, request: AdmissionRequest): void {
    if (!concerns(change, request) || request.kind.kind !== "Pod") return;
    for (const range of this.#rangesOf(request)) setDefaults(change.object as Pod, range);
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    if (!concerns(change, request)) return;
    for (const { spec } of this.#rangesOf(request)) {
      const limits = spec?.limits ?? [];
      const problems =
        request.kind.kind === "Pod"
          ? limits.flatMap((limit) => podProblems(change.object as Pod, limit))
          : limits.flatMap((limit) => claimProblems(change.object as PersistentVolumeClaim, limit));
      const [first, ...more] = new Set(problems);
      if (first === undefined) continue;
      throw forbidden(
        change,
        request,
        more.length === 0 ? first : `[${[first, ...more].join(", ")}]`,
      );
    }
  }

  #rangesOf({ namespace }: AdmissionRequest): readonly Readonly<LimitRange>[] {
    const ranges = [...this.#ranges.list(namespace)];
    if (ranges.length < 2) return ranges;
    return ranges.toSorted((a, b) =>
      compareBytewise(a.metadata?.name ?? "", b.metadata?.name ?? ""),
    );
  }
}

/** What is being deleted is left alone, and of pods what cannot change any more. */
function concerns(
  { operation, old }: Readonly<AdmittedChange>,
  { subresource, kind }: AdmissionRequest,
): boolean {
  if (operation !== "CREATE" && operation !== "UPDATE") return false;
  if (old?.metadata?.deletionTimestamp !== undefined) return false;
  const isPod = kind.kind === "Pod";
  if (subresource !== "") return isPod && subresource === "resize" && operation === "UPDATE";
  return isPod ? operation === "CREATE" : kind.kind === "PersistentVolumeClaim";
}

function setDefaults(pod: Pod, { spec }: Readonly<LimitRange>): void {
  const requests: Record<string, string | number> = {};
  const limits: Record<string, string | number> = {};
  for (const { type, defaultRequest, default: limit } of spec?.limits ?? []) {
    if (type !== "Container") continue;
    setAll(requests, defaultRequest);
    setAll(limits, limit);
  }
  const notes: string[] = [];
  const complete = (what: string, containers: readonly Container[] = []): void => {
    for (const each of containers) {
      const requested = { what, of: "request", field: "requests", defaults: requests } as const;
      const limited = { what, of: "limit", field: "limits", defaults: limits } as const;
      notes.push(...setMissing(each, requested), ...setMissing(each, limited));
    }
  };
  complete("container", pod.spec?.containers);
  complete("init container", pod.spec?.initContainers);
  if (notes.length === 0) return;
  const metadata = (pod.metadata ??= {});
  const text = `LimitRanger plugin set: ${notes.join("; ")}`;
  metadata.annotations = { ...metadata.annotations, [ANNOTATION]: text };
}

function setAll(target: Record<string, string | number>, amounts: ResourceAmounts = {}): void {
  for (const [name, amount] of Object.entries(amounts)) setOwnKey(target, name, amount);
}

interface Missing {
  readonly what: string;
  readonly of: string;
  readonly field: "limits" | "requests";
  readonly defaults: ResourceAmounts;
}

/** What was set is noted for whoever reads the pod. */
function setMissing(container: Container, { what, of, field, defaults }: Missing): string[] {
  const given = container.resources?.[field];
  const missing = Object.keys(defaults).filter((name) => ownKey(given, name) === undefined);
  if (missing.length === 0) return [];
  const amounts = { ...given };
  for (const name of missing) setOwnKey(amounts, name, defaults[name]!);
  container.resources = { ...container.resources, [field]: amounts };
  return [`${missing.toSorted(compareBytewise).join(", ")} ${of} for ${what} ${container.name}`];
}

function podProblems({ spec }: Pod, limit: LimitRangeItem): string[] {
  if (spec === undefined) return [];
  if (limit.type === "Container") {
    return [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      limitProblems(limit, {
        requests: amountsOf(resources?.requests),
        limits: amountsOf(resources?.limits),
      }),
    );
  }
  if (limit.type !== "Pod") return [];
  return limitProblems(limit, {
    requests: podAmounts(spec, "requests"),
    limits: podAmounts(spec, "limits"),
  });
}

/** Claims have requests only. */
function claimProblems({ spec }: PersistentVolumeClaim, limit: LimitRangeItem): string[] {
  if (limit.type !== "PersistentVolumeClaim") return [];
  const requests = amountsOf(spec?.resources?.requests);
  const { max = {}, maxLimitRequestRatio: _, ...rest } = limit;
  const problems = limitProblems(rest, { requests, limits: new Map() });
  for (const [name, bound] of Object.entries(max)) {
    const amount = requests.get(name);
    const usage = `maximum ${name} usage per ${limit.type} is ${bound}`;
    if (amount === undefined) problems.push(`${usage}.  No request is specified`);
    else if (amount.compare(Quantity.fromJson(bound)) > 0) {
      problems.push(`${usage}, but request is ${String(amount)}`);
    }
  }
  return problems;
}
