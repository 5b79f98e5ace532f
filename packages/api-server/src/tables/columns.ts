import type { Column } from "./table.ts";

const NAME_TEXT =
  "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";

export const AGE_TEXT: string =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** A column that is always shown. */
export function column(name: string, description: string, type: Column["type"] = "string"): Column {
  return { name, type, format: "", description, priority: 0 };
}

/** A column for who asks for more. */
export function wide(name: string, description: string): Column {
  return { name, type: "string", format: "", description, priority: 1 };
}

export const NAME: Column = { ...column("Name", NAME_TEXT), format: "name" };
export const AGE: Column = column("Age", AGE_TEXT);
export const CONTAINERS: Column = wide("Containers", "Names of each container in the template.");
export const IMAGES: Column = wide(
  "Images",
  "Images referenced by each container in the template.",
);
