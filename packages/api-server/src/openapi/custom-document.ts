/** The OpenAPI 3 document of a group-version of custom resources. */
import type { JsonObject } from "@homeostat/object-model";
import type { ServedResource } from "../registry/served-resource.ts";
import { Components } from "./components.ts";
import { CUSTOM_KIND_VERSIONS } from "./kind-versions.ts";
import { type PathOperations, printPaths } from "./operation.ts";
import { type PublishOptions, publishObjectSchema } from "./published-schema.ts";
import { type PublishedResource, pathsOf } from "./resource-paths.ts";
import { API_VERSION, KIND, listItems, listMetadata } from "./standard-fields.ts";

const INFO: JsonObject = { title: "Kubernetes CRD Swagger", version: "v0.1.0" };

export function customDocument(
  resources: readonly ServedResource[],
  openApi: PublishOptions["openApi"] = 3,
): JsonObject {
  const components = new Components(CUSTOM_KIND_VERSIONS);
  const paths = new Map<string, PathOperations>();
  for (const resource of resources) {
    for (const [path, operations] of pathsOf(publish(resource, { components, openApi }))) {
      paths.set(path, operations);
    }
  }
  return {
    openapi: "3.0.0",
    info: INFO,
    paths: printPaths(paths),
    components: { schemas: components.schemas() },
  };
}

function publish(
  { definition, custom }: ServedResource,
  { components, openApi }: { components: Components; openApi: PublishOptions["openApi"] },
): PublishedResource {
  const { group, version, kind, listKind = `${kind}List` } = definition;
  const { schema: given, selectableFields = [] } = custom!.version;
  const fields = selectableFields.map(({ jsonPath }) => ({
    fieldPath: jsonPath.replace(/^\./, ""),
  }));
  const selectable: JsonObject =
    fields.length > 0 ? { "x-kubernetes-selectable-fields": fields } : {};
  const tagsOf = (name: string): JsonObject => ({
    "x-kubernetes-group-version-kind": [{ group, kind: name, version }],
    ...selectable,
  });
  const objectMeta = components.refer("meta.v1.ObjectMeta");
  const listMeta = components.refer("meta.v1.ListMeta");
  const model = `${group.split(".").toReversed().join(".")}.${version}`;
  const schema = components.add(`${model}.${kind}`, {
    ...publishObjectSchema(given?.openAPIV3Schema, { openApi, objectMeta }),
    ...tagsOf(kind),
  });
  const list = components.add(`${model}.${listKind}`, {
    description: `${listKind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: API_VERSION,
      items: listItems(definition.plural, schema),
      kind: KIND,
      metadata: listMetadata(openApi === 2 ? listMeta : { allOf: [listMeta] }),
    },
    ...tagsOf(listKind),
  });
  return {
    definition,
    isCustom: true,
    schema,
    list,
    schemaOfSubresource: (name) =>
      name === "scale" ? components.refer("autoscaling.v1.Scale") : schema,
    meta: (name) => components.meta(name),
  };
}
