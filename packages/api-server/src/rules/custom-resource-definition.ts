/** Custom resource definitions and API services: kinds that arrive at run time. */
import type {
  ServiceReference as ConversionServiceReference,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
} from "@homeostat/object-model/apiextensions-v1";
import type { ServiceReference } from "@homeostat/object-model/apiregistration-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

const HTTPS = { port: 443 };

export const customResourceDefinitionRules: readonly NamedTypeRules[] = [
  rulesFor<CustomResourceDefinition>("apiextensions.v1.CustomResourceDefinition", {
    setDefaults(definition) {
      setNames(definition);
      setStoredVersions(definition);
    },
  }),
  rulesFor<CustomResourceDefinitionSpec>("apiextensions.v1.CustomResourceDefinitionSpec", {
    defaults: { conversion: { strategy: "None" } },
  }),
  rulesFor<ConversionServiceReference>("apiextensions.v1.ServiceReference", { defaults: HTTPS }),
  rulesFor<ServiceReference>("apiregistration.v1.ServiceReference", { defaults: HTTPS }),
];

/** Of the spec only: the names in the status are those that were accepted. */
function setNames(definition: Unchecked<CustomResourceDefinition>): void {
  const names: Unchecked<CustomResourceDefinitionNames> = definition.spec?.names ?? {};
  if (!names.kind) return;
  names.singular ||= names.kind.toLowerCase();
  names.listKind ||= `${names.kind}List`;
}

function setStoredVersions(definition: Unchecked<CustomResourceDefinition>): void {
  if ((definition.status?.storedVersions ?? []).length > 0) return;
  const stored = definition.spec?.versions?.find(({ storage }) => storage);
  if (stored === undefined) return;
  definition.status ??= {};
  definition.status.storedVersions = [stored.name ?? ""];
}
