import type {
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
} from "@homeostat/object-model/networking-v1";
import { age, loadBalancerText, nameOf, selectorText } from "../cell-texts.ts";
import { AGE, column, NAME } from "../columns.ts";
import { layout, type Printed, type TableLayout } from "../table.ts";

export const INGRESS: TableLayout = layout<Ingress>({
  columns: [
    NAME,
    column(
      "Class",
      "The name of the IngressClass resource that should be used for additional configuration",
    ),
    column("Hosts", "Hosts that incoming requests are matched against before the ingress rule"),
    column("Address", "Address is a list containing ingress points for the load-balancer"),
    column("Ports", "Ports of TLS configurations that open"),
    AGE,
  ],
  cells: (ingress, now) => [
    nameOf(ingress),
    ingress.spec?.ingressClassName ?? "<none>",
    hostsOf(ingress),
    loadBalancerText(ingress.status?.loadBalancer),
    ingress.spec?.tls?.length ? "80, 443" : "80",
    age(ingress, now),
  ],
});

export const INGRESS_CLASS: TableLayout = layout<IngressClass>({
  columns: [
    NAME,
    column("Controller", "Controller that is responsible for handling this class"),
    column("Parameters", "A reference to a resource with additional parameters"),
    AGE,
  ],
  cells: (ingressClass, now) => {
    const { annotations } = ingressClass.metadata ?? {};
    const isDefault = annotations?.["ingressclass.kubernetes.io/is-default-class"] === "true";
    return [
      `${nameOf(ingressClass)}${isDefault ? " (default)" : ""}`,
      ingressClass.spec?.controller ?? "",
      parametersOf(ingressClass),
      age(ingressClass, now),
    ];
  },
});

export const NETWORK_POLICY: TableLayout = layout<NetworkPolicy>({
  columns: [
    NAME,
    column(
      "Pod-Selector",
      "podSelector selects the pods to which this NetworkPolicy object applies. The array of rules is applied to any pods selected by this field. An empty selector matches all pods in the policy's namespace. Multiple network policies can select the same set of pods. In this case, the ingress rules for each are combined additively. This field is optional. If it is not specified, it defaults to an empty selector.",
    ),
    AGE,
  ],
  cells: (policy, now) => [
    nameOf(policy),
    selectorText(policy.spec?.podSelector ?? {}, { none: "<none>", broken: "<error>" }),
    age(policy, now),
  ],
});

export const SERVICE_CIDR: TableLayout = layout<ServiceCIDR>({
  columns: [
    NAME,
    column(
      "CIDRs",
      'CIDRs defines the IP blocks in CIDR notation (e.g. "192.168.0.0/24" or "2001:db8::/64") from which to assign service cluster IPs. Max of two CIDRs is allowed, one of each IP family. This field is immutable.',
    ),
    AGE,
  ],
  cells: (range, now) => [nameOf(range), (range.spec?.cidrs ?? []).join(","), age(range, now)],
});

/** kube-apiserver prints an age for which it has no column. */
export const IP_ADDRESS: TableLayout = layout<IPAddress>({
  columns: [
    NAME,
    column(
      "ParentRef",
      "ParentRef references the resource that an IPAddress is attached to. An IPAddress must reference a parent object.",
    ),
  ],
  cells: (address, now) => [nameOf(address), parentOf(address), age(address, now)],
});

/** Rules beyond the third host count, whether they name one or not. */
function hostsOf({ spec }: Printed<Ingress>): string {
  const rules = spec?.rules ?? [];
  const hosts: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (hosts.length === 3) more = true;
    else if (host) hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  return more ? `${hosts.join(",")} + ${rules.length - 3} more...` : hosts.join(",");
}

function parametersOf({ spec }: Printed<IngressClass>): string {
  if (spec?.parameters == null) return "<none>";
  const { apiGroup, kind, name } = spec.parameters;
  return `${kind ?? ""}${apiGroup == null ? "" : `.${apiGroup}`}/${name ?? ""}`;
}

function parentOf({ spec }: Printed<IPAddress>): string {
  if (spec?.parentRef == null) return "<none>";
  const { group, resource, namespace, name } = spec.parentRef;
  const kind = group ? `${resource}.${group}` : (resource ?? "");
  return `${kind.toLowerCase()}${namespace ? `/${namespace}` : ""}/${name ?? ""}`;
}
