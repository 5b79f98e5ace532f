/** What a HorizontalPodAutoscaler sees: metric values of autoscaling/v2 as v1 annotations have them. */
import type { MetricStatus, MetricValueStatus } from "@homeostat/object-model/autoscaling-v2";
import {
  given,
  printReference,
  readMetric,
  readReference,
  selectorAs,
} from "./autoscaler-metric-specs.ts";
import { type Fields, fields, optionalInteger, optionalQuantity, text } from "./go-json.ts";

export function printMetricStatus(metric: Readonly<MetricStatus>): unknown {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    ...(object && {
      object: {
        target: printReference(object.describedObject),
        metricName: object.metric.name,
        currentValue: object.current.value ?? "0",
        ...selectorAs("selector", object.metric),
        ...given("averageValue", object.current.averageValue),
      },
    }),
    ...(pods && {
      pods: {
        metricName: pods.metric.name,
        currentAverageValue: pods.current.averageValue ?? "0",
        ...selectorAs("selector", pods.metric),
      },
    }),
    ...(resource && { resource: { name: resource.name, ...printAverages(resource.current) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        ...printAverages(containerResource.current),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        ...selectorAs("metricSelector", external.metric),
        currentValue: external.current.value ?? "0",
        ...given("currentAverageValue", external.current.averageValue),
      },
    }),
  };
}

function printAverages({ averageUtilization, averageValue }: Readonly<MetricValueStatus>): Fields {
  return {
    ...given("currentAverageUtilization", averageUtilization),
    currentAverageValue: averageValue ?? "0",
  };
}

export function readMetricStatus(value: Fields): MetricStatus {
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

function readObject(object: Fields): NonNullable<MetricStatus["object"]> {
  return {
    metric: readMetric(object["metricName"], object["selector"]),
    current: readCurrent(object["currentValue"], object["averageValue"]),
    describedObject: readReference(object["target"]),
  };
}

function readExternal(external: Fields): NonNullable<MetricStatus["external"]> {
  return {
    metric: readMetric(external["metricName"], external["metricSelector"]),
    current: readCurrent(external["currentValue"], external["currentAverageValue"]),
  };
}

function readPods(pods: Fields): NonNullable<MetricStatus["pods"]> {
  const averageValue = optionalQuantity(pods["currentAverageValue"]) ?? "0";
  return { metric: readMetric(pods["metricName"], pods["selector"]), current: { averageValue } };
}

/** v1 always has a value, 0 where v2 has none: it stays one on the way back. */
function readCurrent(value: unknown, average: unknown): MetricValueStatus {
  const averageValue = optionalQuantity(average);
  return {
    value: optionalQuantity(value) ?? "0",
    ...(averageValue !== undefined && { averageValue }),
  };
}

function readResource(resource: Fields): NonNullable<MetricStatus["resource"]> {
  const averageUtilization = optionalInteger(resource["currentAverageUtilization"]);
  const averageValue = optionalQuantity(resource["currentAverageValue"]) ?? "0";
  return {
    name: text(resource["name"]),
    current: { averageValue, ...(averageUtilization !== undefined && { averageUtilization }) },
  };
}
