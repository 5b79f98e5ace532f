import type { JsonObject } from "@homeostat/object-model";
import type { PlaneAnswer } from "./plane-under-test.ts";
import type { Requests } from "./requests.ts";

export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const DEFINITION = `${DEFINITIONS}/widgets.sem.example.com`;
export const WIDGETS = "/apis/sem.example.com/v1/namespaces/default/widgets";

/** The same in another version. */
export function widgetsIn(name: string): string {
  return WIDGETS.replace("/v1/", `/${name}/`);
}

export interface Version extends JsonObject {
  name: string;
}

/** A version that is served; the storage version unless said otherwise. */
export function version(schema: JsonObject, more: JsonObject = {}): Version {
  return {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object", ...schema } },
    ...more,
  };
}

export function definition(versions: readonly Version[], spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.sem.example.com" },
    spec: {
      group: "sem.example.com",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      scope: "Namespaced",
      versions: [...versions],
      ...spec,
    },
  };
}

/** Creates the definition and waits until it is established, as clients do. */
export async function define(
  requests: Requests,
  versions: readonly Version[],
  spec: JsonObject = {},
): Promise<void> {
  const made = await requests.create(DEFINITIONS, definition(versions, spec));
  await until(requests, made.metadata.resourceVersion, "Established");
}

/** Changes versions of the definition; what is served has changed when this resolves. */
export async function redefine(requests: Requests, versions: readonly Version[]): Promise<void> {
  await requests.merge(DEFINITION, { spec: { versions: [...versions] } });
}

async function until(requests: Requests, resourceVersion: string, type: string): Promise<void> {
  const fieldSelector = "metadata.name=widgets.sem.example.com";
  await using watch = await requests.watch(DEFINITIONS, { resourceVersion, fieldSelector });
  for (;;) {
    const frame = await watch.next();
    if (frame === undefined) throw new Error(`the watch ended before ${type}`);
    if (conditionIn(frame.object, type) === "True") return;
  }
}

/** The status of a condition, "" where there is none. */
export function conditionIn(object: object, type: string): string {
  const { status } = object as { status?: { conditions?: { type: string; status: string }[] } };
  return status?.conditions?.find((condition) => condition.type === type)?.status ?? "";
}

export function widget(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: "sem.example.com/v1", kind: "Widget", metadata: { name }, ...more };
}

/** What is wrong, a line each: `spec.size: Invalid value: ...`. */
export function causesIn({ object }: PlaneAnswer): readonly string[] {
  const causes = object.details["causes"] as { field: string; message: string }[];
  return causes.map(({ field, message }) => `${field}: ${message}`);
}
