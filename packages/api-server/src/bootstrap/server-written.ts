/** How objects look that the server writes as a client of its own. */

export interface ServerEntry {
  readonly apiVersion: string;
  readonly now: string;
  readonly fields: object;
  /** Default: kube-apiserver. */
  readonly manager?: string;
}

export function writtenByServer(entry: ServerEntry): object {
  return {
    manager: entry.manager ?? "kube-apiserver",
    operation: "Update",
    apiVersion: entry.apiVersion,
    time: entry.now,
    fieldsType: "FieldsV1",
    fieldsV1: entry.fields,
  };
}

export interface AppliedStatus {
  readonly apiVersion: string;
  readonly now: string;
  readonly manager: string;
  /** The one condition, and which of its fields are applied. */
  readonly condition: string;
  readonly fields: readonly string[];
}

/** A controller in the server applies one condition. */
export function conditionApplied(entry: AppliedStatus): object {
  return {
    manager: entry.manager,
    operation: "Apply",
    apiVersion: entry.apiVersion,
    time: entry.now,
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:status": {
        "f:conditions": { [`k:{"type":"${entry.condition}"}`]: { ".": {}, ...each(entry.fields) } },
      },
    },
    subresource: "status",
  };
}

/** The entry of a map of which every key is owned. */
export function keyFields(...names: readonly string[]): object {
  return { ".": {}, ...each(names) };
}

function each(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
}
