/**
 * What becomes of a definition, decided without I/O: names are accepted unless another definition of
 * the group has them, then it is established; a deleted one loses its objects first.
 */
import { equalJson, type JsonValue, ownKey, timeOfMilliseconds } from "@homeostat/object-model";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from "@homeostat/object-model/apiextensions-v1";
import { problemWithCaBundle } from "../rules/definitions/ca-bundle.ts";

const NO_NAMES = {} as CustomResourceDefinitionNames;
const NO_STATUS: CustomResourceDefinitionStatus = {};

export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

type NewCondition = Omit<CustomResourceDefinitionCondition, "lastTransitionTime">;

/** What other definitions need to know of one. */
export interface DefinitionOutline {
  readonly spec: Pick<CustomResourceDefinition["spec"], "group">;
  readonly status?: Pick<CustomResourceDefinitionStatus, "acceptedNames" | "conditions">;
}

export function hasCondition(definition: DefinitionOutline, type: string): boolean {
  return conditionOf(definition, type)?.status === "True";
}

function conditionOf(
  { status }: DefinitionOutline,
  type: string,
): CustomResourceDefinitionCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** The status with this condition; its time is that of the last change of its status. */
export function withCondition(
  status: CustomResourceDefinitionStatus,
  condition: NewCondition,
  now: number,
): CustomResourceDefinitionStatus {
  const conditions = status.conditions ?? [];
  const old = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime =
    old?.status === condition.status && old.lastTransitionTime
      ? old.lastTransitionTime
      : timeOfMilliseconds(now);
  const made = { ...condition, lastTransitionTime };
  return {
    ...status,
    conditions:
      old === undefined
        ? [...conditions, made]
        : conditions.map((each) => (each === old ? made : each)),
  };
}

/** The status after its names were looked at; undefined when that changes nothing. */
export function acceptNames(
  definition: CustomResourceDefinition,
  others: Iterable<DefinitionOutline>,
  now: number,
): CustomResourceDefinitionStatus | undefined {
  const { spec, status = NO_STATUS } = definition;
  const accepted = status.acceptedNames ?? NO_NAMES;
  if (sameNames(spec.names, accepted)) return undefined;
  const { names, condition } = judgeNames(spec.names, accepted, namesInUse(definition, others));
  const old = conditionOf(definition, "NamesAccepted");
  const sameCondition =
    old?.status === condition.status &&
    old.reason === condition.reason &&
    old.message === condition.message;
  if (sameNames(names, accepted) && sameCondition) return undefined;
  const established = conditionOf(definition, "Established");
  let after = withCondition({ ...status, acceptedNames: names }, condition, now);
  if (established?.status !== "True" && condition.status === "True") {
    after = withCondition(after, INSTALLING, now);
  } else if (established === undefined) after = withCondition(after, NOT_ACCEPTED, now);
  return after;
}

const INSTALLING: NewCondition = {
  type: "Established",
  status: "False",
  reason: "Installing",
  message: "the initial names have been accepted",
};
const NOT_ACCEPTED: NewCondition = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};

interface NamesInUse {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** Those of the whole group, the definition's own among them. */
function namesInUse(
  definition: CustomResourceDefinition,
  others: Iterable<DefinitionOutline>,
): NamesInUse {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { spec, status } of others) {
    const names = status?.acceptedNames;
    if (spec.group !== definition.spec.group || names === undefined) continue;
    for (const name of [names.plural, names.singular, ...(names.shortNames ?? [])]) {
      resources.add(name ?? "");
    }
    for (const name of [names.kind, names.listKind]) kinds.add(name ?? "");
  }
  return { resources, kinds };
}

function judgeNames(
  wanted: CustomResourceDefinitionNames,
  accepted: CustomResourceDefinitionNames,
  used: NamesInUse,
): { names: CustomResourceDefinitionNames; condition: NewCondition } {
  const names = { ...accepted };
  let conflict: { reason: string; message: string } | undefined;
  const judge = (
    member: "kind" | "listKind" | "plural" | "singular",
    taken: ReadonlySet<string>,
    reason: string,
  ): void => {
    const name = wanted[member] ?? "";
    if (name !== (accepted[member] ?? "") && taken.has(name)) {
      conflict = { reason, message: inUse(name) };
    } else if (name !== "") names[member] = name;
  };
  judge("plural", used.resources, "PluralConflict");
  judge("singular", used.resources, "SingularConflict");
  const own = accepted.shortNames ?? [];
  const short = wanted.shortNames ?? [];
  if (!equalJson([...short], [...own])) {
    const taken = short.filter((name) => !own.includes(name) && used.resources.has(name));
    if (taken.length > 0) conflict = { reason: "ShortNamesConflict", message: aggregate(taken) };
    else if (short.length === 0) delete names.shortNames;
    else names.shortNames = [...short];
  }
  judge("kind", used.kinds, "KindConflict");
  judge("listKind", used.kinds, "ListKindConflict");
  if (wanted.categories === undefined) delete names.categories;
  else names.categories = [...wanted.categories];
  const condition: NewCondition =
    conflict === undefined
      ? {
          type: "NamesAccepted",
          status: "True",
          reason: "NoConflicts",
          message: "no conflicts found",
        }
      : { type: "NamesAccepted", status: "False", ...conflict };
  return { names, condition };
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`;
}

function aggregate(names: readonly string[]): string {
  const messages = [...new Set(names.map(inUse))];
  return messages.length === 1 ? messages[0]! : `[${messages.join(", ")}]`;
}

function sameNames(a: CustomResourceDefinitionNames, b: CustomResourceDefinitionNames): boolean {
  return equalJson(namesAsJson(a), namesAsJson(b));
}

/** Nothing and empty lists are the same to Go. */
function namesAsJson(names: CustomResourceDefinitionNames): JsonValue {
  const { plural, singular, kind, listKind, shortNames, categories } = names;
  const texts = [plural, singular, kind, listKind].map((name) => name ?? "");
  return [texts, [...(shortNames ?? [])], [...(categories ?? [])]];
}

/**
 * The status once it is served; undefined when it is already, or may not be yet. A definition whose
 * conversion webhook could not be trusted is not established.
 */
export function establish(
  definition: CustomResourceDefinition,
  now: number,
): CustomResourceDefinitionStatus | undefined {
  if (!hasCondition(definition, "NamesAccepted") || hasCondition(definition, "Established")) {
    return undefined;
  }
  if (isConverterTrusted(definition.spec)) {
    return withCondition(definition.status!, ESTABLISHED, now);
  }
  const isKnown = conditionOf(definition, "Established")?.reason === UNTRUSTED.reason;
  return isKnown ? undefined : withCondition(definition.status!, UNTRUSTED, now);
}

const ESTABLISHED: NewCondition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};

/** Whether the authority of the conversion webhook, if there is one, is made of certificates. */
export function isConverterTrusted({ conversion }: CustomResourceDefinition["spec"]): boolean {
  const { caBundle } = conversion?.webhook?.clientConfig ?? {};
  return !caBundle || problemWithCaBundle(caBundle) === undefined;
}

const UNTRUSTED: NewCondition = {
  type: "Established",
  status: "False",
  reason: "InvalidCABundle",
  message: "The conversion webhook CABundle is invalid",
};

const APPROVED = "api-approved.kubernetes.io";
const COMMUNITY_GROUP = /(^|\.)(k8s|kubernetes)\.io$/;

/** Groups of the Kubernetes project say who approved them; undefined when nothing changes. */
export function judgeApproval(
  definition: CustomResourceDefinition,
  now: number,
): CustomResourceDefinitionStatus | undefined {
  if (!COMMUNITY_GROUP.test(definition.spec.group)) return undefined;
  const condition = approvalOf(ownKey(definition.metadata.annotations ?? {}, APPROVED) ?? "");
  const old = conditionOf(definition, condition.type);
  const same = old?.status === condition.status && old.message === condition.message;
  if (same) return undefined;
  return withCondition(definition.status ?? NO_STATUS, condition, now);
}

function approvalOf(text: string): NewCondition {
  const type = "KubernetesAPIApprovalPolicyConformant";
  const see = "see https://github.com/kubernetes/enhancements/pull/1111";
  if (text === "") {
    const message = `protected groups must have approval annotation "${APPROVED}", ${see}`;
    return { type, status: "False", reason: "MissingAnnotation", message };
  }
  if (text.startsWith("unapproved")) {
    const message = `not approved: ${JSON.stringify(text)}`;
    return { type, status: "False", reason: "UnapprovedAnnotation", message };
  }
  if (URL.canParse(text) && new URL(text).host !== "") {
    return { type, status: "True", reason: "ApprovedAnnotation", message: `approved in ${text}` };
  }
  const message = `protected groups must have approval annotation "${APPROVED}" with either a URL or a reason starting with "unapproved", ${see}`;
  return { type, status: "False", reason: "InvalidAnnotation", message };
}

/** How far a deletion is. */
export const TERMINATING: Readonly<
  Record<"completed" | "inProgress" | "neverEstablished" | "overdue" | "pending", NewCondition>
> = {
  pending: terminating(
    "True",
    "InstanceDeletionPending",
    "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  ),
  inProgress: terminating(
    "True",
    "InstanceDeletionInProgress",
    "CustomResource deletion is in progress",
  ),
  overdue: terminating(
    "True",
    "InstanceDeletionCheck",
    "could not confirm zero CustomResources remaining: timed out waiting for the condition",
  ),
  completed: terminating("False", "InstanceDeletionCompleted", "removed all instances"),
  neverEstablished: terminating("False", "NeverEstablished", "resource was never established"),
};

function terminating(status: "False" | "True", reason: string, message: string): NewCondition {
  return { type: "Terminating", status, reason, message };
}
