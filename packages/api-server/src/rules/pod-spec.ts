/** What every pod template and every pod gets; what only a pod gets is in `pod.ts`. */
import type { PodSpec, PodTemplateSpec } from "@homeostat/object-model/core-v1";
import { dropInitContainerAnnotations } from "./init-container-annotations.ts";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const podSpecRules: readonly NamedTypeRules[] = [
  rulesFor<PodSpec>("core.v1.PodSpec", {
    defaults: {
      dnsPolicy: "ClusterFirst",
      restartPolicy: "Always",
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      schedulerName: "default-scheduler",
    },
    resourceLists: ["overhead"],
    normalize: mirrorServiceAccount,
  }),
  rulesFor<PodTemplateSpec>("core.v1.PodTemplateSpec", {
    normalize: ({ metadata }) => dropInitContainerAnnotations(metadata),
  }),
];

/** `serviceAccount` is the old name of `serviceAccountName`, which wins where they differ. */
function mirrorServiceAccount(spec: Unchecked<PodSpec>): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}
