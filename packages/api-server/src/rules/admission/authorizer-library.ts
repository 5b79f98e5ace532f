import { BOOL, type Library, type Overload, STRING, type Type } from "@homeostat/cel";

const AUTHORIZER_PACKAGE = "kubernetes.authorization";

function typeNamed(name: string): Type {
  return { kind: "object", name: `${AUTHORIZER_PACKAGE}.${name}`, fields: new Map() };
}

export const AUTHORIZER: Type = typeNamed("Authorizer");
export const RESOURCE_CHECK: Type = typeNamed("ResourceCheck");
const PATH_CHECK = typeNamed("PathCheck");
const GROUP_CHECK = typeNamed("GroupCheck");
const DECISION = typeNamed("Decision");

function member(id: string, params: readonly Type[], result: Type): Overload {
  return { id, member: true, params, result };
}

/**
 * `authorizer.group('apps').resource('deployments').check('create').allowed()`: what expressions may
 * ask of the authorizer. Declared only: an expression that calls these compiles, evaluating it fails.
 */
export const AUTHORIZER_LIBRARY: Library = {
  name: "kubernetes.authz",
  functions: [
    { name: "path", overloads: [member("authorizer_path", [AUTHORIZER, STRING], PATH_CHECK)] },
    { name: "group", overloads: [member("authorizer_group", [AUTHORIZER, STRING], GROUP_CHECK)] },
    {
      name: "serviceAccount",
      overloads: [member("authorizer_serviceaccount", [AUTHORIZER, STRING, STRING], AUTHORIZER)],
    },
    {
      name: "resource",
      overloads: [member("groupcheck_resource", [GROUP_CHECK, STRING], RESOURCE_CHECK)],
    },
    ofResource("subresource", "resourcecheck_subresource"),
    ofResource("namespace", "resourcecheck_namespace"),
    ofResource("name", "resourcecheck_name"),
    ofResource("fieldSelector", "authorizer_fieldselector"),
    ofResource("labelSelector", "authorizer_labelselector"),
    {
      name: "check",
      overloads: [
        member("pathcheck_check", [PATH_CHECK, STRING], DECISION),
        member("resourcecheck_check", [RESOURCE_CHECK, STRING], DECISION),
      ],
    },
    { name: "errored", overloads: [member("decision_errored", [DECISION], BOOL)] },
    { name: "error", overloads: [member("decision_error", [DECISION], STRING)] },
    { name: "allowed", overloads: [member("decision_allowed", [DECISION], BOOL)] },
    { name: "reason", overloads: [member("decision_reason", [DECISION], STRING)] },
  ],
};

/** Narrows a check. */
function ofResource(name: string, id: string): Library["functions"][number] {
  return { name, overloads: [member(id, [RESOURCE_CHECK, STRING], RESOURCE_CHECK)] };
}
