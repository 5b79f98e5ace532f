/** What an autoscaler watches: one source per metric, and a target that suits it. */
import { checkPathSegmentName, Quantity } from "@homeostat/object-model";
import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from "@homeostat/object-model/autoscaling-v2";
import { dns1123Label, each, fields, type Place, type Rule, textIs } from "@homeostat/schema";
import type { QuantityValue } from "../checks/quantities.ts";
import { containerResourceName } from "../checks/resource-names.ts";
import { apiVersionProblem, type GroupOfReference, objectReference } from "./object-reference.ts";

type Source = "containerResource" | "external" | "object" | "pods" | "resource";

/** In the order in which they are looked at; only the first that is there is. */
const SOURCES: readonly Source[] = ["object", "external", "pods", "resource", "containerResource"];

const TYPES: Readonly<Record<string, Source>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

/** Whether some of them do not depend on the pods: those can wake an autoscaler from zero. */
export function autoscalerMetrics(
  metrics: readonly MetricSpec[],
  described: GroupOfReference,
  place: Place,
): boolean {
  each(metric(described))(metrics, place);
  return metrics.some(({ type }) => type === "Object" || type === "External");
}

/** Whether a metric of an object names a version that cannot be one. */
export function hasInvalidObject(metrics: readonly MetricSpec[] | undefined): boolean {
  return (metrics ?? []).some(
    ({ type, object }) =>
      type === "Object" &&
      object !== undefined &&
      apiVersionProblem(object.describedObject?.apiVersion ?? "", "optional") !== undefined,
  );
}

function metric(described: GroupOfReference): Rule<MetricSpec> {
  const rules: { readonly [Name in Source]: Rule<never> } = {
    object: objectSource(described),
    external: externalSource,
    pods: podsSource,
    resource: resourceSource,
    containerResource: containerResourceSource,
  };
  return (value, place) => {
    const type = value?.type ?? "";
    const known = Object.keys(TYPES);
    const expected = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (type === "") place.child("type").required("must specify a metric source type");
    if (expected === undefined) place.child("type").notSupported(type, known);
    const present = SOURCES.filter((name) => value?.[name] !== undefined);
    const [first] = present;
    if (first !== undefined) rules[first](value?.[first] as never, place.child(first));
    if (expected === undefined) place.child("type").notSupported(type, known);
    else if (value?.[expected] === undefined) {
      place.child(expected).required("must populate information for the given metric source");
    }
    if (present.length === 1) return;
    for (const name of present) {
      if (name === expected) continue;
      place.child(name).forbidden("must populate the given metric source only");
    }
  };
}

const named =
  (what: string, ...rules: readonly Rule<string>[]): Rule<string> =>
  (value = "", place) => {
    if (value === "") place.required(`must specify a ${what}`);
    else for (const rule of rules) rule(value, place);
  };

const identifier = fields<MetricIdentifier>({
  name: named("metric name", textIs(checkPathSegmentName)),
});

const positiveAmount: Rule<QuantityValue> = (value, place) => {
  if (value === undefined) return;
  const quantity = Quantity.fromJson(value);
  if (quantity.sign() <= 0) place.invalid(quantity.toString(), "must be positive");
};

const target: Rule<MetricTarget> = (value, place) => {
  const type = value?.type ?? "";
  if (type === "") place.child("type").required("must specify a metric target type");
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    place.child("type").invalid(type, "must be either Utilization, Value, or AverageValue");
  }
  positiveAmount(value?.value, place.child("value"));
  positiveAmount(value?.averageValue, place.child("averageValue"));
  const utilization = value?.averageUtilization;
  if (utilization !== undefined && utilization < 1) {
    place.child("averageUtilization").invalid(utilization, "must be greater than 0");
  }
};

function objectSource(described: GroupOfReference): Rule<ObjectMetricSource> {
  const reference = objectReference(described);
  return (source, place) => {
    reference(source?.describedObject, place.child("describedObject"));
    identifier(source?.metric, place.child("metric"));
    target(source?.target, place.child("target"));
    const { value, averageValue } = source?.target ?? {};
    if (value !== undefined || averageValue !== undefined) return;
    const why = "must set either a target value or averageValue";
    place.child("target").child("averageValue").required(why);
  };
}

const externalSource: Rule<ExternalMetricSource> = (source, place) => {
  identifier(source?.metric, place.child("metric"));
  const at = place.child("target");
  target(source?.target, at);
  const { value, averageValue } = source?.target ?? {};
  if (value === undefined && averageValue === undefined) {
    const why = "must set either a target value for metric or a per-pod target";
    at.child("averageValue").required(why);
  }
  if (value !== undefined && averageValue !== undefined) {
    const why = "may not set both a target value for metric and a per-pod target";
    at.child("value").forbidden(why);
  }
};

const podsSource: Rule<PodsMetricSource> = (source, place) => {
  identifier(source?.metric, place.child("metric"));
  const at = place.child("target");
  target(source?.target, at);
  if (source?.target?.averageValue === undefined) {
    at.child("averageValue").required("must specify a positive target averageValue");
  }
};

/** Of a resource: a share of what was asked for, or an amount. */
const resourceTarget: Rule<MetricTarget> = (value, place) => {
  target(value, place);
  const { averageUtilization, averageValue } = value ?? {};
  if (averageUtilization === undefined && averageValue === undefined) {
    const why = "must set either a target raw value or a target utilization";
    place.child("averageUtilization").required(why);
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const why = "may not set both a target raw value and a target utilization";
    place.child("averageValue").forbidden(why);
  }
};

const resourceSource = fields<ResourceMetricSource>({
  name: named("resource name"),
  target: resourceTarget,
});

const containerResourceSource = fields<ContainerResourceMetricSource>({
  name: named("resource name", containerResourceName),
  container: named("container", dns1123Label),
  target: resourceTarget,
});
