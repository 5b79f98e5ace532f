/** What expressions of webhooks and policies know of the request and of its namespace. */
import {
  BOOL,
  DYN,
  INT,
  listOf,
  mapOf,
  type ObjectType,
  STRING,
  TIMESTAMP,
  type Type,
} from "@homeostat/cel";

const TEXTS = listOf(STRING);
const TEXT_MAP = mapOf(STRING, STRING);

function objectType(name: string, fields: Readonly<Record<string, Type>>): ObjectType {
  const declared = Object.entries(fields).map(
    ([field, type]) => [field, { type, jsonName: field }] as const,
  );
  return { kind: "object", name: `kubernetes.${name}`, fields: new Map(declared) };
}

const groupVersionKind = objectType("GroupVersionKind", {
  group: STRING,
  version: STRING,
  kind: STRING,
});

const groupVersionResource = objectType("GroupVersionResource", {
  group: STRING,
  version: STRING,
  resource: STRING,
});

const userInfo = objectType("UserInfo", {
  username: STRING,
  uid: STRING,
  groups: TEXTS,
  extra: mapOf(STRING, TEXTS),
});

export const REQUEST: ObjectType = objectType("AdmissionRequest", {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: STRING,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo,
  dryRun: BOOL,
  options: DYN,
});

const namespaceMetadata = objectType("NamespaceMetadata", {
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  labels: TEXT_MAP,
  annotations: TEXT_MAP,
  UID: STRING,
  creationTimestamp: TIMESTAMP,
  deletionGracePeriodSeconds: INT,
  deletionTimestamp: TIMESTAMP,
  generation: INT,
  resourceVersion: STRING,
  finalizers: TEXTS,
});

const namespaceCondition = objectType("NamespaceCondition", {
  status: STRING,
  type: STRING,
  lastTransitionTime: TIMESTAMP,
  message: STRING,
  reason: STRING,
});

/** Not all of a namespace: its managed fields and owners are left out. */
export const NAMESPACE: ObjectType = objectType("Namespace", {
  metadata: namespaceMetadata,
  spec: objectType("NamespaceSpec", { finalizers: TEXTS }),
  status: objectType("NamespaceStatus", { conditions: listOf(namespaceCondition), phase: STRING }),
});
