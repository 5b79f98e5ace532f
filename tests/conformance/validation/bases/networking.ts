import type {
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
} from "@homeostat/object-model/networking-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const service = { name: "web", port: { number: 80 } };
const condition = {
  type: "Ready",
  status: "True",
  observedGeneration: 1,
  lastTransitionTime: "2020-01-01T00:00:00Z",
  reason: "Because",
  message: "x",
} as const;

const ingresses = {
  backend: { spec: { defaultBackend: { service: { name: "web", port: { name: "http" } } } } },
  rules: {
    spec: {
      ingressClassName: "nginx",
      tls: [{ hosts: ["a.example", "*.b.example"], secretName: "tls" }],
      rules: [
        {
          host: "a.example",
          http: {
            paths: [
              { path: "/", pathType: "Prefix", backend: { service } },
              {
                path: "/x",
                pathType: "Exact",
                backend: { resource: { apiGroup: "example.com", kind: "Bucket", name: "b" } },
              },
              { pathType: "ImplementationSpecific", backend: { service } },
            ],
          },
        },
        { host: "*.b.example" },
      ],
    },
    status: {
      loadBalancer: {
        ingress: [
          { ip: "192.0.2.1", ports: [{ port: 80, protocol: "TCP" }] },
          {
            hostname: "lb.example",
            ports: [{ port: 443, protocol: "TCP", error: "example.com/Failed" }],
          },
        ],
      },
    },
  },
  annotated: {
    metadata: { annotations: { "kubernetes.io/ingress.class": "old" } },
    spec: {
      rules: [{ http: { paths: [{ path: "/", pathType: "Prefix", backend: { service } }] } }],
    },
  },
} satisfies Variants<Ingress>;

const ingressClasses = {
  plain: {
    spec: {
      controller: "example.com/ingress",
      parameters: {
        apiGroup: "example.com",
        kind: "Parameters",
        name: "p",
        scope: "Namespace",
        namespace: "probes",
      },
    },
  },
  cluster: {
    spec: { controller: "example.com/ingress", parameters: { kind: "Parameters", name: "p" } },
  },
} satisfies Variants<IngressClass>;

const networkPolicies = {
  plain: { spec: { podSelector: {} } },
  full: {
    spec: {
      podSelector: {
        matchLabels: { app: "web" },
        matchExpressions: [{ key: "tier", operator: "In", values: ["a"] }],
      },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          ports: [
            { protocol: "TCP", port: 80, endPort: 90 },
            { protocol: "UDP", port: "dns" },
          ],
          from: [
            { ipBlock: { cidr: "10.1.0.0/16", except: ["10.1.2.0/24"] } },
            {
              podSelector: { matchLabels: { a: "b" } },
              namespaceSelector: { matchLabels: { c: "d" } },
            },
          ],
        },
      ],
      egress: [
        {
          ports: [{ protocol: "SCTP", port: 5000 }],
          to: [{ ipBlock: { cidr: "fd00::/48", except: ["fd00::/64"] } }],
        },
      ],
    },
  },
} satisfies Variants<NetworkPolicy>;

const ipAddresses = {
  four: {
    metadata: { name: "192.168.7.9" },
    spec: {
      parentRef: { group: "example.com", resource: "things", namespace: "probes", name: "one" },
    },
  },
  six: {
    metadata: { name: "fd00::7" },
    spec: { parentRef: { resource: "services", name: "one", namespace: "probes" } },
  },
} satisfies Variants<IPAddress>;

const serviceCidrs = {
  dual: {
    spec: { cidrs: ["10.200.0.0/24", "fd00:9::/112"] },
    status: { conditions: [condition] },
  },
  single: { spec: { cidrs: ["10.201.0.0/24"] } },
} satisfies Variants<ServiceCIDR>;

const networking = { group: "networking.k8s.io", version: "v1" } as const;

export const networkingKinds: readonly ProbedKind[] = [
  { ...networking, name: "ingressclasses", plural: "ingressclasses", variants: ingressClasses },
  { ...networking, name: "ingresses", plural: "ingresses", variants: ingresses },
  { ...networking, name: "ipaddresses", plural: "ipaddresses", variants: ipAddresses },
  { ...networking, name: "networkpolicies", plural: "networkpolicies", variants: networkPolicies },
  { ...networking, name: "servicecidrs", plural: "servicecidrs", variants: serviceCidrs },
];
