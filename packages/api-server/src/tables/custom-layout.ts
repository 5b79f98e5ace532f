import {
  encodeJson,
  instantToMilliseconds,
  type JsonObject,
  type JsonValue,
  parseTime,
  TimeError,
  ZERO_TIME,
} from "@homeostat/object-model";
import type { CustomResourceColumnDefinition } from "@homeostat/object-model/apiextensions-v1";
import type { CustomResource } from "../registry/served-resource.ts";
import { AGE_TEXT, NAME } from "./columns.ts";
import { humanDuration } from "./human-duration.ts";
import { JsonPath } from "./json-path.ts";
import type { Cell, Column, TableLayout } from "./table.ts";

const AGE_COLUMN: CustomResourceColumnDefinition = {
  name: "Age",
  type: "date",
  description: AGE_TEXT,
  jsonPath: ".metadata.creationTimestamp",
};

const DESIRED: CustomResourceColumnDefinition = {
  name: "Desired",
  type: "integer",
  description: "Number of desired replicas",
  jsonPath: ".spec.replicas",
};

const AVAILABLE: CustomResourceColumnDefinition = {
  name: "Available",
  type: "integer",
  description: "Number of actual replicas",
  jsonPath: ".status.replicas",
};

const layouts = new WeakMap<CustomResource, TableLayout>();

/** The columns of the definition after the name; without any, the age. */
export function customLayout(custom: CustomResource): TableLayout {
  let layout = layouts.get(custom);
  if (layout === undefined) {
    const { printerColumns } = custom;
    layout = layoutOfColumns(printerColumns.length > 0 ? printerColumns : [AGE_COLUMN]);
    layouts.set(custom, layout);
  }
  return layout;
}

export function customScaleLayout(): TableLayout {
  return layoutOfColumns([DESIRED, AVAILABLE, AGE_COLUMN]);
}

/** Columns from the first on whose path cannot be read are left out. */
function layoutOfColumns(definitions: readonly CustomResourceColumnDefinition[]): TableLayout {
  const columns: Column[] = [];
  const paths: JsonPath[] = [];
  for (const definition of definitions) {
    const path = JsonPath.parse(definition.jsonPath);
    if (path === undefined) break;
    paths.push(path);
    columns.push(columnOf(definition));
  }
  return {
    columns: [NAME, ...columns],
    cells: (object, now) => [
      object.metadata?.name ?? "",
      ...paths.map((path, index) => {
        const value = path.first(object as unknown as JsonObject);
        return value === undefined ? null : cellOf(value, columns[index]!, now);
      }),
    ],
  };
}

function columnOf(definition: CustomResourceColumnDefinition): Column {
  const { name, type, format, description, priority, jsonPath } = definition;
  return {
    name,
    type: type as Column["type"],
    format: format ?? "",
    description:
      description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
  };
}

/** Null for a value of another type than the column's. */
function cellOf(value: JsonValue, { type }: Column, now: number): Cell {
  switch (type) {
    case "string":
      return textOf(value);
    case "integer":
      if (typeof value === "bigint") return value;
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? dateText(value, now) : null;
  }
}

/** As Go prints values. */
function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (value === null) return "<no value>";
  if (typeof value === "number" && !Number.isInteger(value)) return floatText(value);
  return typeof value === "object" ? encodeJson(value) : String(value);
}

/** With an exponent from a million on, and below a ten thousandth. */
function floatText(value: number): string {
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  const sign = power < 0 ? "-" : "+";
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

function dateText(value: string, now: number): string {
  if (value === "" || value === "null") return "<unknown>";
  try {
    const instant = parseTime(value);
    if (instant === ZERO_TIME) return "<unknown>";
    return humanDuration(now - instantToMilliseconds(instant));
  } catch (error) {
    if (error instanceof TimeError) return "<invalid>";
    throw error;
  }
}
