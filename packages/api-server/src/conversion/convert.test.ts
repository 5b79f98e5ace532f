import type { KubernetesObject } from "@homeostat/object-model";
import type { HorizontalPodAutoscaler as AutoscalerV1 } from "@homeostat/object-model/autoscaling-v1";
import type {
  HorizontalPodAutoscaler as AutoscalerV2,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
} from "@homeostat/object-model/autoscaling-v2";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { convert, UnknownConversionError } from "./convert.ts";

const PREFIX = "autoscaling.alpha.kubernetes.io/";
const CPU: MetricSpec = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};

function v2(changed: Partial<AutoscalerV2["spec"]>, status?: AutoscalerV2["status"]): AutoscalerV2 {
  return {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v2",
    metadata: { name: "h", annotations: { x: "y" } },
    spec: { scaleTargetRef: { kind: "D", name: "d" }, maxReplicas: 5, ...changed },
    ...(status && { status }),
  };
}

function v1(annotations: Record<string, string>, spec: object = {}): AutoscalerV1 {
  return {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: { name: "h", annotations },
    spec: { scaleTargetRef: { kind: "D", name: "d" }, maxReplicas: 5, ...spec },
  };
}

function toV1(object: KubernetesObject): AutoscalerV1 {
  return convert(object, "autoscaling/v1") as AutoscalerV1;
}

function toV2(object: KubernetesObject): AutoscalerV2 {
  return convert(object, "autoscaling/v2") as AutoscalerV2;
}

test("an Event has other names in its other version", () => {
  const core = {
    kind: "Event",
    apiVersion: "v1",
    metadata: { name: "e" },
    involvedObject: { kind: "Pod", name: "p" },
    message: "M",
    source: { component: "c" },
    firstTimestamp: "2026-01-01T00:00:00Z",
    lastTimestamp: "2026-01-01T00:00:01Z",
    count: 3,
    reportingComponent: "r",
    eventTime: null,
  };
  const other = {
    kind: "Event",
    apiVersion: "events.k8s.io/v1",
    metadata: { name: "e" },
    eventTime: null,
    reportingController: "r",
    regarding: { kind: "Pod", name: "p" },
    note: "M",
    deprecatedSource: { component: "c" },
    deprecatedFirstTimestamp: "2026-01-01T00:00:00Z",
    deprecatedLastTimestamp: "2026-01-01T00:00:01Z",
    deprecatedCount: 3,
  };
  expect(convert(core, "events.k8s.io/v1")).toEqual(other);
  expect(convert(other, "v1")).toEqual(core);
});

test("a version that is the same already is left alone, and an unknown one is refused", () => {
  const event = { kind: "Event", apiVersion: "v1" };
  expect(convert(event, "v1")).toBe(event);
  const to = (): unknown => convert(event, "v2");
  expect(to).toThrow(UnknownConversionError);
  expect(to).toThrow("a Event of v1 cannot be converted to v2");
});

test("the CPU utilization has a field in v1; everything else is carried by annotations", () => {
  const metrics: MetricSpec[] = [
    CPU,
    {
      type: "Pods",
      pods: {
        metric: { name: "m<", selector: { matchLabels: { b: "1", a: "2" } } },
        target: { type: "AverageValue", averageValue: "2" },
      },
    },
    {
      type: "Object",
      object: {
        describedObject: { kind: "S", name: "s" },
        metric: { name: "m" },
        target: { type: "AverageValue", averageValue: "3" },
      },
    },
  ];
  const scaleUp = { policies: [{ type: "Pods", value: 3, periodSeconds: 15 }], tolerance: "100m" };
  const status = {
    desiredReplicas: 1,
    currentMetrics: [
      { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 44 } } },
    ],
    conditions: [{ type: "X", status: "True", reason: "R" }],
  };
  expect(toV1(v2({ metrics, behavior: { scaleUp } }, status))).toEqual({
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: {
      name: "h",
      annotations: {
        x: "y",
        [`${PREFIX}metrics`]:
          '[{"type":"Pods","pods":{"metricName":"m\\u003c","targetAverageValue":"2","selector":{"matchLabels":{"a":"2","b":"1"}}}},{"type":"Object","object":{"target":{"kind":"S","name":"s"},"metricName":"m","targetValue":"0","averageValue":"3"}}]',
        [`${PREFIX}current-metrics`]:
          '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":44,"currentAverageValue":"0"}}]',
        [`${PREFIX}behavior`]:
          '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":null,"Policies":[{"Type":"Pods","Value":3,"PeriodSeconds":15}],"Tolerance":"100m"},"ScaleDown":null}',
        [`${PREFIX}conditions`]:
          '[{"type":"X","status":"True","lastTransitionTime":null,"reason":"R"}]',
      },
    },
    spec: {
      scaleTargetRef: { kind: "D", name: "d" },
      maxReplicas: 5,
      targetCPUUtilizationPercentage: 50,
    },
    status: { currentReplicas: 0, desiredReplicas: 1, currentCPUUtilizationPercentage: 44 },
  });
});

test("a v1 object without any metric aims at 80 % of the CPU", () => {
  expect(toV2(v1({})).spec.metrics).toEqual([
    {
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
    },
  ]);
});

test("the CPU metric of a v1 object follows those that are carried", () => {
  const metrics = '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1000m"}}]';
  const converted = toV2(
    v1({ [`${PREFIX}metrics`]: metrics }, { targetCPUUtilizationPercentage: 50 }),
  );
  expect(converted.metadata).toEqual({ name: "h" });
  expect(converted.spec.metrics).toEqual([
    {
      type: "Resource",
      resource: { name: "memory", target: { type: "AverageValue", averageValue: "1" } },
    },
    CPU,
  ]);
});

test("annotations that cannot be read are dropped without a word", () => {
  const broken = ["zz", "[{]", "{}", '[{"type":5}]', "[5]"];
  for (const text of broken) {
    const names = ["metrics", "behavior", "current-metrics", "conditions"];
    const annotations = Object.fromEntries(names.map((name) => [`${PREFIX}${name}`, text]));
    const converted = toV2(v1(annotations));
    expect(converted.metadata).toEqual({ name: "h" });
    expect(converted.spec).toEqual(toV2(v1({})).spec);
    expect(converted.status).toBeUndefined();
  }
  const badQuantity = '[{"type":"Pods","pods":{"targetAverageValue":"x"}}]';
  expect(toV2(v1({ [`${PREFIX}metrics`]: badQuantity })).spec).toEqual(toV2(v1({})).spec);
});

test("a behavior is read in any case, as Go reads it", () => {
  const text = '{"scaleup":{"SELECTPOLICY":"Max","policies":[{"type":"Pods","value":3}]}}';
  expect(toV2(v1({ [`${PREFIX}behavior`]: text })).spec.behavior).toEqual({
    scaleUp: { selectPolicy: "Max", policies: [{ type: "Pods", value: 3, periodSeconds: 0 }] },
  });
});

test("carrying annotations never stay on a v2 object", () => {
  const object = v2({ metrics: [CPU] });
  object.metadata.annotations = { x: "y", [`${PREFIX}metrics`]: "zz" };
  expect(toV2(object).metadata.annotations).toEqual({ x: "y" });
  const plain = v2({ metrics: [CPU] });
  expect(toV2(plain)).toBe(plain);
});

const name = fc.string({ unit: "binary", minLength: 1, maxLength: 5 });
const quantity = fc.constantFrom("1", "100m", "2500m", "1Gi", "7k");
const reference = fc.record(
  { kind: name, name, apiVersion: name },
  { requiredKeys: ["kind", "name"] },
);
const selector = fc.record(
  {
    matchLabels: fc.dictionary(name, name, { minKeys: 1, maxKeys: 3 }),
    matchExpressions: fc.array(
      fc.record(
        { key: name, operator: name, values: fc.array(name, { minLength: 1, maxLength: 2 }) },
        { requiredKeys: ["key", "operator"] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);
const metric = fc.record({ name, selector }, { requiredKeys: ["name"] });
const average = fc.record({ type: fc.constant("AverageValue"), averageValue: quantity });
const value = fc.record({ type: fc.constant("Value"), value: quantity });
const utilization = fc.record({
  type: fc.constant("Utilization"),
  averageUtilization: fc.integer({ min: 1, max: 100 }),
});
const specs: fc.Arbitrary<MetricSpec> = fc.oneof(
  fc.record({
    type: fc.constant("Resource"),
    resource: fc.record({ name: fc.constant("memory"), target: fc.oneof(average, utilization) }),
  }),
  fc.record({ type: fc.constant("Pods"), pods: fc.record({ metric, target: average }) }),
  fc.record({
    type: fc.constant("Object"),
    object: fc.record({ describedObject: reference, metric, target: fc.oneof(average, value) }),
  }),
  fc.record({
    type: fc.constant("External"),
    external: fc.record({ metric, target: fc.oneof(average, value) }),
  }),
  fc.record({
    type: fc.constant("ContainerResource"),
    containerResource: fc.record({ name, container: name, target: fc.oneof(average, utilization) }),
  }),
);
const current = fc.record({ value: quantity, averageValue: quantity });
const averages = fc.record(
  { averageValue: quantity, averageUtilization: fc.nat(100) },
  { requiredKeys: ["averageValue"] },
);
const statuses: fc.Arbitrary<MetricStatus> = fc.oneof(
  fc.record({
    type: fc.constant("Resource"),
    resource: fc.record({ name: fc.constantFrom("cpu", "memory"), current: averages }),
  }),
  fc.record({
    type: fc.constant("Pods"),
    pods: fc.record({ metric, current: fc.record({ averageValue: quantity }) }),
  }),
  fc.record({
    type: fc.constant("Object"),
    object: fc.record({ describedObject: reference, metric, current }),
  }),
  fc.record({ type: fc.constant("External"), external: fc.record({ metric, current }) }),
);
const scalingRules: fc.Arbitrary<HPAScalingRules> = fc.record(
  {
    stabilizationWindowSeconds: fc.nat(3600),
    selectPolicy: fc.constantFrom("Max", "Min"),
    policies: fc.array(fc.record({ type: name, value: fc.nat(9), periodSeconds: fc.nat(60) }), {
      minLength: 1,
      maxLength: 2,
    }),
    tolerance: quantity,
  },
  { requiredKeys: [] },
);

test("nothing of a v2 object is lost on the way to v1 and back, the CPU metric coming last", () => {
  const autoscaler = fc.record({
    metrics: fc.array(specs, { maxLength: 3 }),
    scaleUp: scalingRules,
    scaleDown: fc.option(scalingRules, { nil: undefined }),
    currentMetrics: fc.array(statuses, { minLength: 1, maxLength: 3 }),
    annotations: fc.dictionary(name, name, { minKeys: 1, maxKeys: 3 }),
  });
  fc.assert(
    fc.property(autoscaler, ({ metrics, scaleUp, scaleDown, currentMetrics, annotations }) => {
      const behavior = { scaleUp, ...(scaleDown && { scaleDown }) };
      const conditions = [
        { type: "X", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
      ];
      const object = v2(
        { metrics: [...metrics, CPU], behavior },
        { desiredReplicas: 2, currentReplicas: 1, currentMetrics, conditions },
      );
      object.metadata.annotations = annotations;
      expect(toV2(toV1(object))).toEqual(object);
    }),
  );
});

test("nothing of an Event is lost on the way there and back", () => {
  const event = fc.record(
    {
      involvedObject: reference,
      reason: name,
      message: name,
      source: fc.record({ component: name }),
      count: fc.nat(),
      series: fc.record({ count: fc.nat(), lastObservedTime: name }),
      action: name,
      related: reference,
      reportingInstance: name,
    },
    { requiredKeys: ["involvedObject"] },
  );
  fc.assert(
    fc.property(event, (fields) => {
      const core = { kind: "Event", apiVersion: "v1", metadata: { name: "e" }, ...fields };
      expect(convert(convert(core, "events.k8s.io/v1"), "v1")).toEqual(core);
    }),
  );
});
