/**
 * The behavior of a HorizontalPodAutoscaler in its annotation: Kubernetes' internal form, with
 * capitals and every field. Reading takes any case, as Go does.
 */
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from "@homeostat/object-model/autoscaling-v2";
import {
  type Fields,
  fields,
  list,
  optionalInteger,
  optionalQuantity,
  optionalText,
  readAnnotation,
  text,
} from "./go-json.ts";

export function printBehavior({
  scaleUp,
  scaleDown,
}: Readonly<HorizontalPodAutoscalerBehavior>): unknown {
  return { ScaleUp: printRules(scaleUp), ScaleDown: printRules(scaleDown) };
}

function printRules(rules: Readonly<HPAScalingRules> | undefined): unknown {
  if (!rules) return null;
  const policies = rules.policies?.map(({ type, value, periodSeconds }) => ({
    Type: type,
    Value: value,
    PeriodSeconds: periodSeconds,
  }));
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies: policies ?? null,
    Tolerance: rules.tolerance ?? null,
  };
}

/** Undefined also for a behavior that says nothing. */
export function readBehavior(
  annotations: Readonly<Record<string, string>>,
  key: string,
): HorizontalPodAutoscalerBehavior | undefined {
  return readAnnotation(annotations, key, (value) => {
    const behavior = lowerCased(fields(value));
    const scaleUp = readRules(behavior["scaleup"]);
    const scaleDown = readRules(behavior["scaledown"]);
    if (!scaleUp && !scaleDown) return undefined;
    return { ...(scaleUp && { scaleUp }), ...(scaleDown && { scaleDown }) };
  });
}

function readRules(value: unknown): HPAScalingRules | undefined {
  if (value == null) return undefined;
  const rules = lowerCased(fields(value));
  const stabilizationWindowSeconds = optionalInteger(rules["stabilizationwindowseconds"]);
  const selectPolicy = optionalText(rules["selectpolicy"]);
  const policies = list(rules["policies"]).map(readPolicy);
  const tolerance = optionalQuantity(rules["tolerance"]);
  return {
    ...(stabilizationWindowSeconds !== undefined && { stabilizationWindowSeconds }),
    ...(selectPolicy !== undefined && { selectPolicy }),
    ...(policies.length > 0 && { policies }),
    ...(tolerance !== undefined && { tolerance }),
  };
}

function readPolicy(value: unknown): HPAScalingPolicy {
  const policy = lowerCased(fields(value));
  return {
    type: text(policy["type"]),
    value: optionalInteger(policy["value"]) ?? 0,
    periodSeconds: optionalInteger(policy["periodseconds"]) ?? 0,
  };
}

function lowerCased(object: Fields): Fields {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]),
  );
}
