import type { Service } from "@homeostat/object-model/core-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const selector = { app: "web" };

const variants = {
  plain: { spec: { selector, ports: [{ port: 80 }] } },
  full: {
    metadata: { labels: { a: "b" }, annotations: { c: "d" } },
    spec: {
      type: "ClusterIP",
      selector,
      ports: [
        { name: "http", protocol: "TCP", appProtocol: "http", port: 80, targetPort: 8080 },
        { name: "dns", protocol: "UDP", port: 53, targetPort: "dns" },
      ],
      clusterIP: "10.0.0.100",
      clusterIPs: ["10.0.0.100"],
      externalIPs: ["192.0.2.1"],
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 100 } },
      publishNotReadyAddresses: true,
      internalTrafficPolicy: "Local",
      trafficDistribution: "PreferClose",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    },
  },
  nodeport: {
    spec: {
      type: "NodePort",
      selector,
      ports: [{ name: "http", port: 80, nodePort: 30_080 }],
      externalTrafficPolicy: "Cluster",
    },
  },
  balancer: {
    spec: {
      type: "LoadBalancer",
      selector,
      ports: [{ name: "http", port: 443, nodePort: 30_443 }],
      externalTrafficPolicy: "Local",
      healthCheckNodePort: 30_999,
      loadBalancerIP: "192.0.2.2",
      loadBalancerSourceRanges: ["192.0.2.0/24"],
      loadBalancerClass: "example.com/lb",
      allocateLoadBalancerNodePorts: false,
    },
    status: {
      loadBalancer: {
        ingress: [
          { ip: "192.0.2.5", ipMode: "VIP", ports: [{ port: 443, protocol: "TCP" }] },
          {
            hostname: "lb.example",
            ports: [{ port: 443, protocol: "TCP", error: "example.com/Failed" }],
          },
        ],
      },
      conditions: [
        {
          type: "Ready",
          status: "True",
          observedGeneration: 1,
          lastTransitionTime: "2020-01-01T00:00:00Z",
          reason: "Because",
          message: "x",
        },
      ],
    },
  },
  external: { spec: { type: "ExternalName", externalName: "db.example.com" } },
  headless: { spec: { clusterIP: "None", selector, ports: [{ port: 80 }] } },
  bare: { spec: { clusterIP: "None" } },
} satisfies Variants<Service>;

export const services: ProbedKind = {
  name: "services",
  group: "",
  version: "v1",
  plural: "services",
  variants,
};
