/**
 * `npm run compare -- validation`: what every built-in kind accepts, refuses and defaults, asked of a
 * real kube-apiserver and of the embedded one. Objects that are valid (bases/) are changed one field
 * at a time (derive-probes.ts, led by the schemas); each change is a probe, sent as a dry run.
 * Nothing here is random: the same sources give the same probes, so answers can be recorded
 * (fixtures/) and replayed in process.
 */
import type { JsonObject, JsonValue } from "@homeostat/object-model";

/** A step into an object: the key of a map or the index of a list. */
export type PathStep = string | number;

export interface Edit {
  readonly at: readonly PathStep[];
  /** Undefined removes what is there. */
  readonly value: JsonValue | undefined;
}

/**
 * `create`: POST of the variant. `update`: PUT of what the server stored of it; `status`: with the
 * variant's status, to the subresource; the others likewise, only for extra probes.
 */
export type ProbeOperation =
  | "approval"
  | "create"
  | "ephemeralcontainers"
  | "finalize"
  | "resize"
  | "status"
  | "update";

export interface Probe {
  /** The variant whose object is changed. */
  readonly variant: string;
  readonly operation: ProbeOperation;
  /** The field that is changed; "" for the variant as it is. */
  readonly field: string;
  /** What is done to it: `absent`, `upper`. With the three above unique within a kind. */
  readonly mutation: string;
  readonly edits: readonly Edit[];
}

/** A kind with the valid objects that its probes start from. */
export interface ProbedKind {
  /** As kubectl would name it where plural names collide: `events.events.k8s.io`. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Name of the variant -> object. Without a name it is called like the variant. */
  readonly variants: Readonly<Record<string, object>>;
  /** Variants that are stored with their status, for extra probes of what may follow it. */
  readonly withStatus?: readonly string[];
  /** Probes that no single field leads to. */
  readonly extras?: readonly ExtraProbe[];
  /** Subtrees that another kind probes fully: only whether what is there may be absent. */
  readonly briefly?: readonly string[];
  /** Subtrees of which only what is there is probed. */
  readonly sparsely?: readonly string[];
}

/** The objects of one kind; a name is given to those that have none. */
export type Variants<Kind extends { metadata?: object }> = Readonly<
  Record<string, Omit<Kind, "metadata"> & Pick<Partial<Kind>, "metadata">>
>;

/** Path -> value; undefined removes. Paths as printed: `spec.containers[0].name`. */
export type ExtraEdits = Readonly<Record<string, JsonValue | undefined>>;

export interface ExtraProbe {
  readonly variant: string;
  readonly operation: ProbeOperation;
  /** Unique among the extras of its variant and operation. */
  readonly name: string;
  readonly edits: ExtraEdits;
}

/** Extra probes of one variant and operation, by name. */
export function extras(
  variant: string,
  operation: ProbeOperation,
  named: Readonly<Record<string, ExtraEdits>>,
): ExtraProbe[] {
  return Object.entries(named).map(([name, edits]) => ({ variant, operation, name, edits }));
}

export function probeId(kind: string, probe: Probe): string {
  return `${kind} ${placeOf(probe)} ${probe.mutation}`;
}

/** What a line of a fixture is about. */
export function placeOf({ variant, operation, field }: Probe): string {
  return `${variant} ${operation} ${field === "" ? "." : field}`;
}

/** A variant's object as it is sent: with its type and a name. */
export function baseObject(
  kind: ProbedKind & { readonly kind: string },
  variant: string,
): JsonObject {
  const given = structuredClone(kind.variants[variant] as JsonObject);
  const metadata = { name: variant, ...(given["metadata"] as JsonObject | undefined) };
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  return { apiVersion, kind: kind.kind, ...given, metadata };
}
