/**
 * Tables: what people see of objects, as kube-apiserver prints them. A layout says for one kind which
 * columns there are and how a row's cells are read from an object; layouts are data, a file per area
 * in `layouts/`, those of custom resources are made from their definition (custom-layout.ts).
 * `represent.ts` turns answers into tables and into metadata alone. Ages are of the plane's clock.
 */
import type { JsonObject, KubernetesObject, ListMeta } from "@homeostat/object-model";

export type Cell = boolean | bigint | number | string | null;

export interface Column {
  readonly name: string;
  readonly type: "boolean" | "date" | "integer" | "number" | "string";
  readonly format: string;
  readonly description: string;
  /** 0 is always shown; what is above, only to who asks for more. */
  readonly priority: number;
}

interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface TableLayout<T = KubernetesObject> {
  readonly columns: readonly Column[];
  /** Total: whatever may be absent is. `now` in milliseconds since 1970. */
  cells(object: T, now: number): readonly Cell[];
  /** What is to be known of the row as a whole. */
  conditions?(object: T): readonly RowCondition[];
  /** How the rows of a list are ordered; default: as the objects are. */
  readonly order?: (one: T, other: T) => number;
  /** A table of nothing has no list of rows at all. */
  readonly rowsAreNull?: boolean;
  /** Every line of a watch says what the columns are, not the first alone. */
  readonly repeatsColumns?: boolean;
}

/** What Go may print of a type: whatever is not set is absent or null. */
export type Printed<T> = T extends readonly (infer Item)[]
  ? readonly Printed<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Printed<T[Key]> | null }
    : T;

/** A layout of a kind whose type is known. */
export function layout<T>(made: TableLayout<Printed<T>>): TableLayout {
  return made as unknown as TableLayout;
}

export interface TableRow {
  readonly cells: readonly Cell[];
  readonly conditions?: readonly RowCondition[];
  readonly object: KubernetesObject | null;
}

/** In the order in which it prints. */
export interface TableObject {
  readonly kind: "Table";
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly Column[] | null;
  readonly rows: readonly TableRow[] | null;
}

/** How much of an object its row carries. */
export type IncludeObject = "Metadata" | "None" | "Object";

export function rowOf(of: TableLayout, { printed, carried, now }: RowParts): TableRow {
  const conditions = of.conditions?.(printed) ?? [];
  return {
    cells: of.cells(printed, now),
    ...(conditions.length > 0 && { conditions }),
    object: carried,
  };
}

export interface RowParts {
  /** In the version that its layout reads. */
  readonly printed: KubernetesObject;
  readonly carried: KubernetesObject | null;
  readonly now: number;
}

/** Metadata of a table of one object. */
export function singleMetadata(object: KubernetesObject): ListMeta {
  const { resourceVersion } = object.metadata ?? {};
  return resourceVersion === undefined ? {} : { resourceVersion };
}

/** A table is an object to whoever encodes it. */
export function asObject(table: TableObject): KubernetesObject & JsonObject {
  return table as unknown as KubernetesObject & JsonObject;
}
