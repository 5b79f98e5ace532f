/** OpenAPI 3 documents of what is always served, one for each group-version and a few small ones. */
import {
  type BuiltinResource,
  type JsonObject,
  listBuiltinGroups,
  listBuiltinResources,
} from "@homeostat/object-model";
import { Components } from "./components.ts";
import { kindVersionsOf } from "./kind-versions.ts";
import { type Operation, type PathOperations, printPaths } from "./operation.ts";
import { capitalize, groupTitle, tagOf } from "./operation-names.ts";
import { type PublishedResource, pathsOf } from "./resource-paths.ts";

const TYPES = ["application/json", "application/vnd.kubernetes.protobuf", "application/yaml"];
const INFO: JsonObject = { title: "Kubernetes", version: "1.36" };
const SECURITY: JsonObject = {
  BearerToken: {
    type: "apiKey",
    description: "Bearer Token authentication",
    name: "authorization",
    in: "header",
  },
};

/** Names as `/openapi/v3` lists them, `apis/apps/v1`, with what makes the document. */
export function builtinDocuments(): ReadonlyMap<string, () => JsonObject> {
  const found = new Map<string, () => JsonObject>();
  for (const { group, versions } of listBuiltinGroups()) {
    const root = group === "" ? "api" : `apis/${group}`;
    found.set(root, () => groupDocument(group));
    for (const version of versions) {
      found.set(`${root}/${version}`, () => versionDocument(group, version));
    }
  }
  found.set("apis", () =>
    smallDocument("/apis/", {
      operationId: "getAPIVersions",
      tag: "apis",
      message: "APIGroupList",
    }),
  );
  found.set("version", versionInfoDocument);
  found.set(".well-known/openid-configuration", () =>
    textDocument("/.well-known/openid-configuration/", {
      operationId: "getServiceAccountIssuerOpenIDConfiguration",
      tag: "WellKnown",
      type: "application/json",
    }),
  );
  found.set("openid/v1/jwks", () =>
    textDocument("/openid/v1/jwks/", {
      operationId: "getServiceAccountIssuerOpenIDKeyset",
      tag: "openid",
      type: "application/jwk-set+json",
    }),
  );
  return found;
}

function versionDocument(group: string, version: string): JsonObject {
  const components = new Components(kindVersionsOf(group, version));
  const root = group === "" ? `/api/${version}/` : `/apis/${group}/${version}/`;
  const operationId = `get${groupTitle(group)}${capitalize(version)}APIResources`;
  const paths = new Map<string, PathOperations>([
    [
      root,
      getting({
        operationId,
        tag: tagOf(group, version),
        schema: components.refer("meta.v1.APIResourceList"),
      }),
    ],
  ]);
  for (const resource of listBuiltinResources()) {
    if (resource.group !== group || resource.version !== version) continue;
    for (const [path, operations] of pathsOf(publish(resource, components))) {
      paths.set(path, operations);
    }
  }
  return documentOf(paths, components.schemas());
}

function publish(resource: BuiltinResource, components: Components): PublishedResource {
  const schemas = new Map(resource.subresources.map(({ name, schema }) => [name, schema]));
  return {
    definition: resource,
    isCustom: false,
    get schema() {
      return components.refer(resource.schema);
    },
    get list() {
      return components.refer(`${resource.schema}List`);
    },
    schemaOfSubresource: (name) => components.refer(schemas.get(name)!),
    meta: (kind) => components.meta(kind),
  };
}

function groupDocument(group: string): JsonObject {
  const title = groupTitle(group);
  if (group === "") {
    const operationId = "getCoreAPIVersions";
    return smallDocument("/api/", { operationId, tag: "core", message: "APIVersions" });
  }
  const operationId = `get${title}APIGroup`;
  return smallDocument(`/apis/${group}/`, { operationId, tag: tagOf(group), message: "APIGroup" });
}

function smallDocument(
  path: string,
  { operationId, tag, message }: { operationId: string; tag: string; message: string },
): JsonObject {
  const components = new Components([]);
  const schema = components.refer(`meta.v1.${message}`);
  return documentOf(new Map([[path, getting({ operationId, tag, schema })]]), components.schemas());
}

function textDocument(
  path: string,
  { operationId, tag, type }: { operationId: string; tag: string; type: string },
): JsonObject {
  const schema = { type: "string" };
  return documentOf(new Map([[path, getting({ operationId, tag, schema, types: [type] })]]));
}

function versionInfoDocument(): JsonObject {
  const always = [
    "major",
    "minor",
    "gitVersion",
    "gitCommit",
    "gitTreeState",
    "buildDate",
    "goVersion",
    "compiler",
    "platform",
  ];
  const sometimes = [
    "emulationMajor",
    "emulationMinor",
    "minCompatibilityMajor",
    "minCompatibilityMinor",
  ];
  const properties = [
    ...always.map((name): [string, JsonObject] => [name, { type: "string", default: "" }]),
    ...sometimes.map((name): [string, JsonObject] => [name, { type: "string" }]),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  const name = "io.k8s.apimachinery.pkg.version.Info";
  const components = new Components([]);
  const info = { type: "object", required: always, properties: Object.fromEntries(properties) };
  const schema = components.add(name, info);
  const types = ["application/json"];
  const operation = getting({ operationId: "getCodeVersion", tag: "version", schema, types });
  return documentOf(new Map([["/version/", operation]]), components.schemas());
}

function getting({
  operationId,
  tag,
  schema,
  types = TYPES,
}: Pick<Operation, "operationId" | "tag"> & {
  schema: JsonObject;
  types?: readonly string[];
}): PathOperations {
  const answers = [{ status: 200, schema, types }] as const;
  return new Map([["get", { operationId, tag, parameters: [], answers }]]);
}

function documentOf(paths: ReadonlyMap<string, PathOperations>, schemas?: JsonObject): JsonObject {
  return {
    openapi: "3.0.0",
    info: INFO,
    paths: printPaths(paths),
    components: {
      ...(schemas === undefined ? {} : { schemas }),
      securitySchemes: SECURITY,
    },
  };
}
