import { admissionKinds } from "./bases/admissionregistration.ts";
import { extensionKinds } from "./bases/apiextensions.ts";
import { appsKinds } from "./bases/apps.ts";
import { autoscalingKinds } from "./bases/autoscaling.ts";
import { batchKinds } from "./bases/batch.ts";
import { coreKinds } from "./bases/core.ts";
import { flowKinds } from "./bases/flowcontrol.ts";
import { networkingKinds } from "./bases/networking.ts";
import { rbacKinds } from "./bases/rbac.ts";
import { resourceKinds } from "./bases/resource.ts";
import { reviewKinds } from "./bases/reviews.ts";
import { smallKinds } from "./bases/small-groups.ts";
import { storageKinds } from "./bases/storage.ts";
import { coreExtras } from "./extras/core.ts";
import { groupExtras } from "./extras/groups.ts";
import { podChangeExtras } from "./extras/pod-changes.ts";
import { podVolumeExtras } from "./extras/pod-volumes.ts";
import { podExtras } from "./extras/pods.ts";
import { workloadExtras } from "./extras/workloads.ts";
import type { ExtraProbe, ProbedKind } from "./probe.ts";

const extrasOf: Readonly<Record<string, readonly ExtraProbe[]>> = {
  ...coreExtras,
  ...workloadExtras,
  ...groupExtras,
  pods: [...podExtras, ...podVolumeExtras, ...podChangeExtras],
};

/** Every built-in kind that can be created. */
export const probedKinds: readonly ProbedKind[] = [
  ...coreKinds,
  ...appsKinds,
  ...batchKinds,
  ...autoscalingKinds,
  ...rbacKinds,
  ...networkingKinds,
  ...admissionKinds,
  ...extensionKinds,
  ...storageKinds,
  ...resourceKinds,
  ...flowKinds,
  ...smallKinds,
  ...reviewKinds,
].map(withExtras);

function withExtras(kind: ProbedKind): ProbedKind {
  const extras = extrasOf[kind.name];
  return extras === undefined ? kind : { ...kind, extras };
}
