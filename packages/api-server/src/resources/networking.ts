/** The kinds of the networking and discovery groups. Services are in `services.ts`. */

import { isIPv4, isIPv6 } from "node:net";
import { annotationOf, labelOf } from "@homeostat/object-model";
import type { EndpointSlice } from "@homeostat/object-model/discovery-v1";
import type {
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  NetworkPolicyPeer,
  ServiceCIDR,
} from "@homeostat/object-model/networking-v1";
import type { NameCheck, Strategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { cidrWarnings } from "../rules/checks/cidrs.ts";
import { ipWarnings } from "../rules/checks/ip-addresses.ts";
import { CLASS_ANNOTATION, ingressStatusChange } from "../rules/ingress.ts";
import { controllerUnchanged } from "../rules/ingress-class.ts";
import { ipAddressAgain } from "../rules/service-cidr.ts";
import { sameForm } from "./internal-form.ts";
import { keepSpec, statusWithoutMetadata } from "./status-updates.ts";

export const ingresses: Strategy<Ingress> = {
  generation: true,
  warnings: (ingress, old) =>
    old === undefined &&
    annotationOf(ingress, CLASS_ANNOTATION) !== undefined &&
    ingress.spec?.ingressClassName === undefined
      ? [
          `annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`,
        ]
      : [],
  subresources: {
    status: {
      prepareForUpdate: keepSpec,
      validateUpdate: changeCheckOf(ingressStatusChange),
      // Kubernetes names the entry, not its address.
      warnings: ({ status }) =>
        (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, index) =>
          ip ? ipWarnings(`status.loadBalancer.ingress[${index}]`, ip) : [],
        ),
    },
  },
};

export const ingressClasses: Strategy<IngressClass> = {
  generation: true,
  validateFixed: changeCheckOf(controllerUnchanged),
};

export const networkPolicies: Strategy<NetworkPolicy> = {
  generation: true,
  warnings: ({ spec }) => [
    ...(spec?.ingress ?? []).flatMap(({ from }, index) =>
      peerWarnings(`spec.ingress[${index}].from`, from ?? []),
    ),
    ...(spec?.egress ?? []).flatMap(({ to }, index) =>
      peerWarnings(`spec.egress[${index}].to`, to ?? []),
    ),
  ],
};

function peerWarnings(field: string, peers: readonly NetworkPolicyPeer[]): readonly string[] {
  return peers.flatMap(({ ipBlock }, index) => {
    const at = `${field}[${index}].ipBlock`;
    return [
      ...cidrWarnings(`${at}.cidr`, ipBlock?.cidr ?? ""),
      ...(ipBlock?.except ?? []).flatMap((cidr, k) => cidrWarnings(`${at}.except[${k}]`, cidr)),
    ];
  });
}

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
  revalidate: changeCheckOf(ipAddressAgain),
};

export const serviceCidrs: Strategy<ServiceCIDR> = {
  subresources: { status: statusWithoutMetadata },
};

export const endpointSlices: Strategy<EndpointSlice> = {
  generation: true,
  prepareForCreate: dropTopology,
  prepareForUpdate(slice, old) {
    // Labels say whose slice it is, so changing them counts; and so does what is dropped here.
    const isRelabelled = !sameForm(slice.metadata.labels ?? null, old.metadata.labels ?? null);
    if (dropTopology(slice) || isRelabelled) {
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

/** Only a former version of the API could write it. Whether there was any. */
function dropTopology(slice: EndpointSlice): boolean {
  let isDropped = false;
  for (const endpoint of slice.endpoints ?? []) {
    if (endpoint.deprecatedTopology === undefined) continue;
    isDropped ||= Object.keys(endpoint.deprecatedTopology).length > 0;
    delete endpoint.deprecatedTopology;
  }
  return isDropped;
}
