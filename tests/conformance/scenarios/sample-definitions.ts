/** Definitions of custom resources for scenarios; each scenario has an API group of its own. */
import type { JsonObject } from "@homeostat/object-model";
import {
  as,
  post,
  type RequestStep,
  type Scenario,
  type Step,
  scenario,
  watch,
} from "../scenario.ts";

export const GROUP = "${ns}.example.com";
export const CRD = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${GROUP}`;
export const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Where the objects are, in a version. */
export function widgets(name = "v1"): string {
  return `/apis/${GROUP}/${name}/namespaces/\${ns}/widgets`;
}

/** A served version, the storage version unless said otherwise. */
export function version(schema: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object", ...schema } },
    ...more,
  };
}

/** A version whose spec has these properties. */
export function withSpec(properties: JsonObject, more: JsonObject = {}): JsonObject {
  const { spec, ...rest } = more;
  return version(
    { properties: { spec: { type: "object", properties, ...(spec as JsonObject) } } },
    rest,
  );
}

export function definition(versions: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  const { metadata, ...spec } = more;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${GROUP}`, ...(metadata as JsonObject) },
    spec: {
      group: GROUP,
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      scope: "Namespaced",
      versions: [...versions],
      ...spec,
    },
  };
}

/** Creates it (step `definition`) and waits until it is established (step `established`). */
export function define(versions: readonly JsonObject[], more: JsonObject = {}): readonly Step[] {
  return [
    as("definition", post(CRDS, definition(versions, more))),
    as(
      "established",
      watch(CRDS, {
        query: {
          resourceVersion: "${definition:rv}",
          fieldSelector: `metadata.name=widgets.${GROUP}`,
        },
        until: { events: 2 },
      }),
    ),
  ];
}

export function widget(name: string, more: JsonObject = {}, served = "v1"): JsonObject {
  return { apiVersion: `${GROUP}/${served}`, kind: "Widget", metadata: { name }, ...more };
}

export function create(name: string, more: JsonObject = {}): RequestStep {
  return post(widgets(), widget(name, more));
}

/** With what it takes for its spec alone. */
export function createSpec(name: string, spec: JsonObject): RequestStep {
  return create(name, { spec });
}

/** Definitions that are refused, or not; none is kept. */
export function judgedDefinitions(name: string, ...definitions: readonly JsonObject[]): Scenario {
  const dry = { query: { dryRun: "All" } };
  return scenario(name, ...definitions.map((each) => post(CRDS, each, dry)));
}

/** A definition whose spec has these properties. */
export function definitionOfSpec(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return definition([withSpec(properties, more)]);
}
