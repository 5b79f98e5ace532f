import type { ObjectType } from "@homeostat/cel";

function typeNamed(name: string): ObjectType {
  const fullName = `kubernetes.authorization.${name}`;
  return { kind: "object", name: fullName, fields: new Map(), receiverOnly: true };
}

export const AUTHORIZER: ObjectType = typeNamed("Authorizer");
export const RESOURCE_CHECK: ObjectType = typeNamed("ResourceCheck");
export const PATH_CHECK: ObjectType = typeNamed("PathCheck");
export const GROUP_CHECK: ObjectType = typeNamed("GroupCheck");
export const DECISION: ObjectType = typeNamed("Decision");
