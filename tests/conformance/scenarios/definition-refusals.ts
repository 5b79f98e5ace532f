/** What is refused of a definition beside its schema. */
import type { JsonObject } from "@homeostat/object-model";
import type { Scenario } from "../scenario.ts";
import { definition, definitionOfSpec, judgedDefinitions, withSpec } from "./sample-definitions.ts";

const size = { size: { type: "integer" } };
const names = (more: JsonObject): JsonObject =>
  definition([withSpec(size)], {
    names: {
      plural: "widgets",
      singular: "widget",
      kind: "Widget",
      listKind: "WidgetList",
      ...more,
    },
  });

export const definitionRefusals: readonly Scenario[] = [
  judgedDefinitions(
    "names",
    definition([withSpec(size)], { metadata: { name: "other" } }),
    definition([withSpec(size)], { group: "nodots" }),
    definition([withSpec(size)], { group: "" }),
    definition([withSpec(size)], { scope: "Somewhere" }),
    definition([withSpec(size)], { scope: "" }),
    names({ plural: "Widgets" }),
    names({ singular: "Wi_dget" }),
    names({ kind: "wi dget" }),
    names({ kind: "" }),
    names({ kind: "Same", listKind: "Same" }),
    names({ shortNames: ["UP", "a b"] }),
    names({ categories: ["UP"] }),
    names({ listKind: "", singular: "" }),
  ),
  judgedDefinitions(
    "versions of a definition",
    definition([]),
    definition([withSpec(size, { storage: false })]),
    definition([withSpec(size), withSpec(size)]),
    definition([withSpec(size), withSpec(size, { name: "v2" })]),
    definition([withSpec(size, { name: "V_1" })]),
    definition([{ name: "v1", served: true, storage: true }]),
    definition([withSpec(size, { served: false })]),
    definition([withSpec(size, { deprecationWarning: "no" })]),
    definition([withSpec(size, { deprecated: true, deprecationWarning: "" })]),
    definition([withSpec(size)], { preserveUnknownFields: true }),
  ),
  judgedDefinitions(
    "subresources, columns and selectable fields",
    definitionOfSpec(size, {
      subresources: { scale: { specReplicasPath: "", statusReplicasPath: "" } },
    }),
    definitionOfSpec(size, {
      subresources: {
        scale: { specReplicasPath: "spec.size", statusReplicasPath: ".status.size" },
      },
    }),
    definitionOfSpec(size, {
      subresources: {
        scale: {
          specReplicasPath: ".status.size",
          statusReplicasPath: ".spec.size",
          labelSelectorPath: ".metadata.x",
        },
      },
    }),
    definitionOfSpec(size, {
      additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
    }),
    definitionOfSpec(size, { additionalPrinterColumns: [{ name: "", type: "int", jsonPath: "" }] }),
    definitionOfSpec(size, {
      additionalPrinterColumns: [{ name: "Bad", type: "string", format: "x", jsonPath: "{.a" }],
    }),
    definitionOfSpec(size, { selectableFields: [{ jsonPath: ".spec.size" }] }),
    definitionOfSpec(size, { selectableFields: [{ jsonPath: ".spec.none" }] }),
    definitionOfSpec(size, { selectableFields: [{ jsonPath: "spec.size" }] }),
    definitionOfSpec(size, { selectableFields: [{ jsonPath: ".metadata.name" }] }),
    definitionOfSpec(size, { selectableFields: [{ jsonPath: ".spec" }] }),
    definitionOfSpec(size, {
      selectableFields: [{ jsonPath: ".spec.size" }, { jsonPath: ".spec.size" }],
    }),
    definitionOfSpec(
      { list: { type: "array", items: { type: "string" } } },
      { selectableFields: [{ jsonPath: ".spec.list" }] },
    ),
  ),
  judgedDefinitions(
    "conversion",
    definition([withSpec(size)], { conversion: { strategy: "None" } }),
    definition([withSpec(size)], { conversion: { strategy: "Other" } }),
    definition([withSpec(size)], { conversion: { strategy: "Webhook" } }),
    definition([withSpec(size)], {
      conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: [], clientConfig: { url: "https://example.com/a" } },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v9"],
          clientConfig: { url: "http://example.com/a" },
        },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1", "v1"],
          clientConfig: { url: "https://u:p@example.com/a?b#c" },
        },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { service: { name: "", namespace: "", port: 70000, path: "x//y" } },
        },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { service: { name: "a", namespace: "b" }, url: "https://example.com" },
        },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "None",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { url: "https://example.com/a" },
        },
      },
    }),
  ),
];
