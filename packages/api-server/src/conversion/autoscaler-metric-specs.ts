/** What a HorizontalPodAutoscaler aims at: metrics of autoscaling/v2 in the form v1 annotations have. */
import type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
} from "@homeostat/object-model/autoscaling-v2";
import {
  type Fields,
  fields,
  optionalInteger,
  optionalQuantity,
  optionalSelector,
  optionalText,
  printSelector,
  text,
} from "./go-json.ts";

export function printMetricSpec(metric: Readonly<MetricSpec>): unknown {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    ...(object && {
      object: {
        target: printReference(object.describedObject),
        metricName: object.metric.name,
        targetValue: object.target.value ?? "0",
        ...selectorAs("selector", object.metric),
        ...given("averageValue", object.target.averageValue),
      },
    }),
    ...(pods && {
      pods: {
        metricName: pods.metric.name,
        targetAverageValue: pods.target.averageValue ?? "0",
        ...selectorAs("selector", pods.metric),
      },
    }),
    ...(resource && { resource: { name: resource.name, ...printAverages(resource.target) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        ...printAverages(containerResource.target),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        ...selectorAs("metricSelector", external.metric),
        ...given("targetValue", external.target.value),
        ...given("targetAverageValue", external.target.averageValue),
      },
    }),
  };
}

function printAverages({ averageUtilization, averageValue }: Readonly<MetricTarget>): Fields {
  return {
    ...given("targetAverageUtilization", averageUtilization),
    ...given("targetAverageValue", averageValue),
  };
}

export function readMetricSpec(value: Fields): MetricSpec {
  const { type, object, pods, resource, containerResource, external } = value;
  return {
    type: text(type),
    ...(object != null && { object: readObject(fields(object)) }),
    ...(pods != null && { pods: readPods(fields(pods)) }),
    ...(resource != null && { resource: readResource(fields(resource)) }),
    ...(containerResource != null && {
      containerResource: {
        ...readResource(fields(containerResource)),
        container: text(fields(containerResource)["container"]),
      },
    }),
    ...(external != null && { external: readExternal(fields(external)) }),
  };
}

function readObject(object: Fields): NonNullable<MetricSpec["object"]> {
  const averageValue = optionalQuantity(object["averageValue"]);
  const value = optionalQuantity(object["targetValue"]) ?? "0";
  const target =
    averageValue === undefined
      ? { type: "Value", value }
      : { type: "AverageValue", ...(value !== "0" && { value }), averageValue };
  return {
    describedObject: readReference(object["target"]),
    target,
    metric: readMetric(object["metricName"], object["selector"]),
  };
}

function readPods(pods: Fields): NonNullable<MetricSpec["pods"]> {
  const averageValue = optionalQuantity(pods["targetAverageValue"]) ?? "0";
  return {
    metric: readMetric(pods["metricName"], pods["selector"]),
    target: { type: "AverageValue", averageValue },
  };
}

function readResource(resource: Fields): NonNullable<MetricSpec["resource"]> {
  const averageUtilization = optionalInteger(resource["targetAverageUtilization"]);
  const averageValue = optionalQuantity(resource["targetAverageValue"]);
  return {
    name: text(resource["name"]),
    target: {
      type: averageUtilization === undefined ? "AverageValue" : "Utilization",
      ...(averageValue !== undefined && { averageValue }),
      ...(averageUtilization !== undefined && { averageUtilization }),
    },
  };
}

function readExternal(external: Fields): NonNullable<MetricSpec["external"]> {
  const value = optionalQuantity(external["targetValue"]);
  const averageValue = optionalQuantity(external["targetAverageValue"]);
  return {
    metric: readMetric(external["metricName"], external["metricSelector"]),
    target: {
      type: value === undefined ? "AverageValue" : "Value",
      ...(value !== undefined && { value }),
      ...(averageValue !== undefined && { averageValue }),
    },
  };
}

/** The field if there is a value. */
export function given(field: string, value: unknown): Fields {
  return value === undefined ? {} : { [field]: value };
}

export function selectorAs(field: string, { selector }: Readonly<MetricIdentifier>): Fields {
  return selector ? { [field]: printSelector(selector) } : {};
}

export function printReference({
  kind,
  name,
  apiVersion,
}: Readonly<CrossVersionObjectReference>): Fields {
  return { kind, name, ...(apiVersion && { apiVersion }) };
}

export function readReference(value: unknown): CrossVersionObjectReference {
  const { kind, name, apiVersion } = fields(value);
  const version = optionalText(apiVersion);
  return { kind: text(kind), name: text(name), ...(version && { apiVersion: version }) };
}

export function readMetric(name: unknown, labels: unknown): MetricIdentifier {
  const selector = optionalSelector(labels);
  return { name: text(name), ...(selector && { selector }) };
}
