/** Endpoint slices. */
import type { EndpointPort } from "@homeostat/object-model/discovery-v1";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

export const endpointSliceRules: readonly NamedTypeRules[] = [
  rulesFor<EndpointPort>("discovery.v1.EndpointPort", { defaults: { name: "", protocol: "TCP" } }),
];
