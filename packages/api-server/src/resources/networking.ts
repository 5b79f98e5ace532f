/** The kinds of the networking and discovery groups. Services are in `services.ts`. */

import { isIPv4, isIPv6 } from "node:net";
import { annotationOf, FieldError, FieldPath, labelOf } from "@homeostat/object-model";
import type { EndpointSlice } from "@homeostat/object-model/discovery-v1";
import type {
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
} from "@homeostat/object-model/networking-v1";
import type { NameCheck, Strategy } from "../registry/strategy.ts";
import { ipWarnings } from "../rules/checks/ip-addresses.ts";
import { checkImmutable, checkImmutablePart, FIELD_IS_IMMUTABLE } from "./field-checks.ts";
import { sameForm } from "./internal-form.ts";
import { statusOnly, statusWithoutMetadata } from "./status-updates.ts";

const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

export const ingresses: Strategy<Ingress> = {
  generation: true,
  validate(ingress) {
    const annotated = annotationOf(ingress, CLASS_ANNOTATION);
    const named = ingress.spec?.ingressClassName;
    if (annotated === undefined || named === undefined || annotated === named) return [];
    const path = FieldPath.of("annotations", CLASS_ANNOTATION);
    const why = "must match `ingressClassName` when both are specified";
    return [FieldError.invalid(path, annotated, why)];
  },
  warnings: (ingress, old) =>
    old === undefined &&
    annotationOf(ingress, CLASS_ANNOTATION) !== undefined &&
    ingress.spec?.ingressClassName === undefined
      ? [
          `annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`,
        ]
      : [],
  subresources: { status: statusOnly },
};

export const ingressClasses: Strategy<IngressClass> = {
  generation: true,
  validateUpdate: (ingressClass, old) =>
    checkImmutable({
      path: FieldPath.of("spec", "controller"),
      value: ingressClass.spec?.controller ?? "",
      old: old.spec?.controller ?? "",
    }),
};

export const networkPolicies: Strategy<NetworkPolicy> = { generation: true };

/** An address is its own name, written in the one way there is. */
const checkAddressName: NameCheck = (name) => {
  if (isIPv4(name)) return [];
  if (/^\d+(\.\d+){3}$/.test(name) && isIPv4(name.replace(/\b0+(?=\d)/g, ""))) {
    return ["must not have leading 0s"];
  }
  if (!isIPv6(name) || name.includes("%")) {
    return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  }
  const canonical = new URL(`http://[${name}]`).hostname.slice(1, -1);
  if (canonical.startsWith("::ffff:")) return ["must not be an IPv4-mapped IPv6 address"];
  return canonical === name ? [] : [`must be in canonical form ("${canonical}")`];
};

export const ipAddresses: Strategy<IPAddress> = {
  checkName: checkAddressName,
  validate: checkParent,
  validateUpdate: (address, old) => [
    ...checkParent(address),
    ...checkImmutablePart("networking.ParentReference", {
      path: FieldPath.of("spec", "parentRef"),
      value: address.spec?.parentRef,
      old: old.spec?.parentRef,
    }),
  ],
};

function checkParent({ spec }: Readonly<IPAddress>): FieldError[] {
  const path = FieldPath.of("spec", "parentRef");
  if (spec?.parentRef === undefined) return [FieldError.required(path)];
  return (["resource", "name"] as const)
    .filter((name) => !spec.parentRef?.[name])
    .map((name) => FieldError.required(path.child(name)));
}

/** A second family may be added to a range; nothing else changes. */
export const serviceCidrs: Strategy<ServiceCIDR> = {
  validateUpdate(range, old) {
    const path = FieldPath.of("spec", "cidrs");
    const cidrs = range.spec?.cidrs ?? [];
    const before = old.spec?.cidrs ?? [];
    const grows = before.length === 1 && cidrs.length === 2;
    if (cidrs.length !== before.length && !grows) {
      return [FieldError.invalid(path, range.spec?.cidrs, FIELD_IS_IMMUTABLE)];
    }
    return before.flatMap((cidr, index) =>
      checkImmutable({ path: path.index(index), value: cidrs[index], old: cidr }),
    );
  },
  subresources: { status: statusWithoutMetadata },
};

export const endpointSlices: Strategy<EndpointSlice> = {
  generation: true,
  prepareForCreate: dropTopology,
  prepareForUpdate(slice, old) {
    dropTopology(slice);
    // Labels say whose slice it is, so changing them counts.
    if (!sameForm(slice.metadata.labels ?? null, old.metadata.labels ?? null)) {
      slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  warnings: (slice, old) => [
    ...(old === undefined && slice.addressType === "FQDN"
      ? ["spec.addressType: FQDN endpoints are deprecated"]
      : []),
    ...addressWarnings(slice),
  ],
};

/** What the controllers write is in order. */
function addressWarnings(slice: Readonly<EndpointSlice>): readonly string[] {
  if (SLICE_CONTROLLERS.has(labelOf(slice, SLICE_MANAGER) ?? "")) return [];
  return (slice.endpoints ?? []).flatMap(({ addresses }, i) =>
    (addresses ?? []).flatMap((ip, j) => ipWarnings(`endpoints[${i}].addresses[${j}]`, ip)),
  );
}

const SLICE_MANAGER = "endpointslice.kubernetes.io/managed-by";
const SLICE_CONTROLLERS: ReadonlySet<string> = new Set([
  "endpointslice-controller.k8s.io",
  "endpointslicemirroring-controller.k8s.io",
]);

/** Only a former version of the API could write it. */
function dropTopology(slice: EndpointSlice): void {
  for (const endpoint of slice.endpoints ?? []) {
    if (endpoint.deprecatedTopology !== undefined) delete endpoint.deprecatedTopology;
  }
}
