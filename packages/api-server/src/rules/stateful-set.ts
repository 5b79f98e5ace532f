/** Stateful sets. */
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetOrdinals,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from "@homeostat/object-model/apps-v1";
import type { PersistentVolumeClaim, PodTemplateSpec } from "@homeostat/object-model/core-v1";
import {
  all,
  type ChangeRule,
  dns1123Label,
  each,
  fields,
  ifPresent,
  ifSet,
  nonNegative,
  Place,
  type Rule,
} from "@homeostat/schema";
import { internalForm } from "../resources/internal-form.ts";
import { knownChoice } from "./checks/choices.ts";
import { atMost100Percent, intOrPercent, numberOf } from "./checks/int-or-percent.ts";
import { printedSelector, readSelector } from "./checks/label-selectors.ts";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";
import { claimSpec } from "./volumes/claim-spec.ts";
import { amongReplicas, atMost, collisions } from "./workloads/replica-counts.ts";
import { fixedStatefulSetFields } from "./workloads/stateful-set-update.ts";
import {
  longRunning,
  mismatch,
  podTemplate,
  type TemplateContext,
  templateMetadata,
  workloadSelector,
} from "./workloads/workload-template.ts";

export const statefulSetRules: readonly NamedTypeRules[] = [
  rulesFor<StatefulSet>("apps.v1.StatefulSet", {
    validate(statefulSet, place) {
      newStatefulSetSpec(statefulSet?.spec, place.child("spec"));
    },
    validateChange({ value, old }, place) {
      const at = place.child("spec");
      const context = { ...place.context, oldTemplate: old?.spec?.template ?? {} };
      // What was wrong before may stay wrong.
      const before = Place.root<StatefulSetContext>(context);
      statefulSetSpec(old?.spec, before);
      const anyTemplate = before.errors.length > 0;
      statefulSetSpec(value?.spec, at.knowing<StatefulSetContext>({ ...context, anyTemplate }));
      fixedStatefulSetFields({ value: value?.spec, old: old?.spec }, at);
    },
  }),
  rulesFor<StatefulSetSpec>("apps.v1.StatefulSetSpec", {
    defaults: {
      podManagementPolicy: "OrderedReady",
      persistentVolumeClaimRetentionPolicy: {},
      replicas: 1,
      revisionHistoryLimit: 10,
    },
    normalize: nameClaimKind,
  }),
  rulesFor<StatefulSetPersistentVolumeClaimRetentionPolicy>(
    "apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy",
    { defaults: { whenDeleted: "Retain", whenScaled: "Retain" } },
  ),
  rulesFor<StatefulSetUpdateStrategy>("apps.v1.StatefulSetUpdateStrategy", {
    setDefaults: setRollingUpdate,
  }),
];

/**
 * A strategy that says RollingUpdate without more keeps no `rollingUpdate`; one that says nothing
 * gets it. `maxUnavailable` has no default: its feature is off in 1.36.
 */
function setRollingUpdate(strategy: Unchecked<StatefulSetUpdateStrategy>): void {
  if (!strategy.type) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type !== "RollingUpdate" || !strategy.rollingUpdate) return;
  strategy.rollingUpdate.partition ??= 0;
}

function nameClaimKind(spec: Unchecked<StatefulSetSpec>): void {
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion = "v1";
    claim.kind = "PersistentVolumeClaim";
  }
}

interface StatefulSetContext extends TemplateContext {
  /** The template is not looked at. */
  readonly anyTemplate?: boolean;
}

const podManagementPolicy: Rule<string> = (value = "", place) => {
  if (value === "") place.required();
  else if (value !== "OrderedReady" && value !== "Parallel") {
    place.invalid(value, "must be 'OrderedReady' or 'Parallel'");
  }
};

const rollingUpdate = fields<RollingUpdateStatefulSetStrategy>({
  partition: nonNegative,
  maxUnavailable: ifPresent(
    intOrPercent,
    (value, place) => {
      if (numberOf(value) === 0) place.invalid(value, "cannot be 0");
    },
    atMost100Percent,
  ),
});

const updateStrategy: Rule<StatefulSetUpdateStrategy> = (value, place) => {
  const at = place.child("rollingUpdate");
  switch (value?.type ?? "") {
    case "":
      place.required();
      return;
    case "OnDelete": {
      if (value?.rollingUpdate === undefined) return;
      const shown = internalForm("apps.RollingUpdateStatefulSetStrategy", value.rollingUpdate);
      at.invalid(shown, "only allowed for updateStrategy 'RollingUpdate'");
      return;
    }
    case "RollingUpdate":
      if (value?.rollingUpdate !== undefined) rollingUpdate(value.rollingUpdate, at);
      return;
    default: {
      const shown = internalForm("apps.StatefulSetUpdateStrategy", value);
      place.invalid(shown, "must be 'RollingUpdate' or 'OnDelete'");
    }
  }
};

const retention = knownChoice("Retain", "Delete");

const policies = fields<StatefulSetSpec>({
  podManagementPolicy,
  updateStrategy,
  persistentVolumeClaimRetentionPolicy: ifPresent(
    fields<StatefulSetPersistentVolumeClaimRetentionPolicy>({
      whenDeleted: retention,
      whenScaled: retention,
    }),
  ),
});

const claimTemplates = each<PersistentVolumeClaim>(
  fields<PersistentVolumeClaim>({ spec: claimSpec() }),
);

const counts = fields<StatefulSetSpec>({
  replicas: nonNegative,
  minReadySeconds: nonNegative,
  ordinals: fields<StatefulSetOrdinals>({ start: nonNegative }),
});

/** The selector is read again, and its being unreadable told again without a reason. */
const selectedPods: Rule<StatefulSetSpec, StatefulSetContext> = (spec, place) => {
  const at = place.child("template");
  const selector = readSelector(spec?.selector);
  if (selector === undefined) {
    place.child("selector").invalid(printedSelector(spec?.selector), "");
  } else {
    const podLabels = spec?.template?.metadata?.labels;
    if (!selector.isEmpty() && !selector.matches(podLabels)) mismatch(podLabels, at);
    const pods = asItsPods(spec);
    if (!place.context.anyTemplate) podTemplate(pods, at);
    // Kubernetes says it twice.
    templateMetadata(pods, at);
  }
  longRunning("StatefulSet")(spec?.template, at);
};

/** The template as its pods will have it: the controller names them and adds the claims. */
function asItsPods(spec: Readonly<StatefulSetSpec> | undefined): PodTemplateSpec {
  const { template = {}, volumeClaimTemplates = [] } = spec ?? {};
  const { subdomain: _, hostname: __, ...pod } = template.spec ?? { containers: [] };
  const claims = new Map(
    volumeClaimTemplates.map(({ metadata }: Partial<PersistentVolumeClaim>) => {
      const name = metadata?.name ?? "";
      return [name, { name, persistentVolumeClaim: { claimName: name } }] as const;
    }),
  );
  if (claims.size === 0) return { ...template, spec: pod };
  const others = (pod.volumes ?? []).filter(({ name }) => !claims.has(name ?? ""));
  return { ...template, spec: { ...pod, volumes: [...claims.values(), ...others] } };
}

const selection = all<StatefulSetSpec, StatefulSetContext>(
  fields<StatefulSetSpec, StatefulSetContext>({ selector: workloadSelector("statefulset") }),
  selectedPods,
);

const statefulSetSpec = all<StatefulSetSpec, StatefulSetContext>(policies, counts, selection);

const newStatefulSetSpec = all<StatefulSetSpec, StatefulSetContext>(
  policies,
  fields<StatefulSetSpec, StatefulSetContext>({ volumeClaimTemplates: claimTemplates }),
  counts,
  fields<StatefulSetSpec, StatefulSetContext>({ serviceName: ifSet(dns1123Label) }),
  selection,
);

const status = all<StatefulSetStatus>(
  fields<StatefulSetStatus>({
    replicas: nonNegative,
    readyReplicas: nonNegative,
    currentReplicas: nonNegative,
    updatedReplicas: nonNegative,
    availableReplicas: nonNegative,
    observedGeneration: nonNegative,
    collisionCount: nonNegative,
  }),
  amongReplicas("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
  atMost("availableReplicas", "readyReplicas", "cannot be greater than status.readyReplicas"),
);

export const statefulSetStatusChange: ChangeRule<StatefulSet, RuleContext> = (
  { value, old },
  place,
) => {
  const at = place.child("status");
  status(value?.status, at);
  collisions({ value: value?.status, old: old?.status }, at);
};
