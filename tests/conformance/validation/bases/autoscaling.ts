import type { HorizontalPodAutoscaler as AutoscalerV1 } from "@homeostat/object-model/autoscaling-v1";
import type { HorizontalPodAutoscaler } from "@homeostat/object-model/autoscaling-v2";
import type { ProbedKind, Variants } from "../probe.ts";

const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const metric = { name: "requests", selector: { matchLabels: { a: "b" } } };
const time = "2020-01-01T00:00:00Z";

const variants = {
  plain: { spec: { scaleTargetRef, maxReplicas: 5 } },
  full: {
    spec: {
      scaleTargetRef,
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
        },
        {
          type: "Resource",
          resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
        },
        {
          type: "ContainerResource",
          containerResource: {
            name: "cpu",
            container: "app",
            target: { type: "Utilization", averageUtilization: 50 },
          },
        },
        { type: "Pods", pods: { metric, target: { type: "AverageValue", averageValue: "100" } } },
        {
          type: "Object",
          object: {
            describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "main" },
            metric,
            target: { type: "Value", value: "10" },
          },
        },
        { type: "External", external: { metric, target: { type: "Value", value: "30" } } },
      ],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 0,
          selectPolicy: "Max",
          policies: [
            { type: "Pods", value: 4, periodSeconds: 60 },
            { type: "Percent", value: 100, periodSeconds: 15 },
          ],
          tolerance: "0.2",
        },
        scaleDown: {
          stabilizationWindowSeconds: 300,
          selectPolicy: "Disabled",
          policies: [{ type: "Percent", value: 10, periodSeconds: 60 }],
        },
      },
    },
    status: {
      observedGeneration: 1,
      lastScaleTime: time,
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [
        {
          type: "Resource",
          resource: { name: "cpu", current: { averageUtilization: 5, averageValue: "1" } },
        },
        { type: "External", external: { metric, current: { value: "3" } } },
      ],
      conditions: [
        {
          type: "AbleToScale",
          status: "True",
          lastTransitionTime: time,
          reason: "R",
          message: "x",
        },
      ],
    },
  },
} satisfies Variants<HorizontalPodAutoscaler>;

const variantsV1 = {
  older: { spec: { scaleTargetRef, maxReplicas: 5 } },
  complete: {
    spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 10, targetCPUUtilizationPercentage: 80 },
    status: {
      observedGeneration: 1,
      lastScaleTime: time,
      currentReplicas: 2,
      desiredReplicas: 3,
      currentCPUUtilizationPercentage: 40,
    },
  },
} satisfies Variants<AutoscalerV1>;

const plural = "horizontalpodautoscalers";

export const autoscalingKinds: readonly ProbedKind[] = [
  { name: plural, group: "autoscaling", version: "v2", plural, variants },
  {
    name: `${plural}.v1.autoscaling`,
    group: "autoscaling",
    version: "v1",
    plural,
    variants: variantsV1,
  },
];
