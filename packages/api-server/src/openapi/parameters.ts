/** What operations take beside a body. */
import type { Parameter } from "./operation.ts";

const text = (name: string): Parameter => ({ name, in: "query", type: "string" });
const number = (name: string): Parameter => ({ name, in: "query", type: "integer" });
const flag = (name: string): Parameter => ({ name, in: "query", type: "boolean" });

export const NAME: Parameter = { name: "name", in: "path", type: "string" };
export const NAMESPACE: Parameter = { name: "namespace", in: "path", type: "string" };
export const PRETTY: Parameter = text("pretty");
/** Of a custom resource that is read. */
export const READ_CUSTOM: Parameter = text("resourceVersion");

const SELECTION: readonly Parameter[] = [
  text("continue"),
  text("fieldSelector"),
  text("labelSelector"),
  number("limit"),
  text("resourceVersion"),
  text("resourceVersionMatch"),
  flag("sendInitialEvents"),
  text("shardSelector"),
  number("timeoutSeconds"),
];

export const LIST: readonly Parameter[] = [
  flag("allowWatchBookmarks"),
  ...SELECTION,
  flag("watch"),
];

export const WRITE: readonly Parameter[] = [
  text("dryRun"),
  text("fieldManager"),
  text("fieldValidation"),
];

export const PATCH: readonly Parameter[] = [...WRITE, flag("force")];

export const DELETION: readonly Parameter[] = [
  text("dryRun"),
  number("gracePeriodSeconds"),
  flag("ignoreStoreReadErrorWithClusterBreakingPotential"),
  flag("orphanDependents"),
  text("propagationPolicy"),
];

export const COLLECTION_DELETION: readonly Parameter[] = [...SELECTION, ...DELETION];
