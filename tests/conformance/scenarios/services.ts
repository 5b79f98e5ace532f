/**
 * Services: addresses and node ports are allocated once, given back, and checked. What is asked for
 * explicitly lies at the low end of the ranges, from where servers take the last when they choose.
 */
import { as, del, edited, get, patch, post, put, type Scenario, scenario } from "../scenario.ts";

const service = (name: string, spec: object) =>
  post("services", { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
const change = (name: string, spec: object) =>
  patch(`services/${name}`, ["merge", { spec: spec as never }]);

export const services: readonly Scenario[] = [
  scenario(
    "an address is chosen",
    service("a", {}),
    get("services/a"),
    del("services/a"),
    get("services/a"),
  ),
  scenario(
    "an address is asked for",
    service("a", { clusterIP: "10.0.0.2" }),
    service("b", { clusterIP: "10.0.0.2" }),
    service("c", { clusterIP: "10.9.9.9" }),
    service("d", { clusterIP: "10.0.0.0" }),
    service("e", { clusterIP: "10.0.0.255" }),
    service("f", { clusterIP: "not an address" }),
    service("g", { clusterIP: "10.0.0.1" }),
    service("h", { clusterIP: "fd00::1" }),
    service("i", { clusterIP: "010.000.000.003" }),
    del("services/a"),
    service("j", { clusterIP: "10.0.0.2" }),
    del("services/j"),
  ),
  scenario(
    "clusterIP and clusterIPs agree",
    service("a", { clusterIP: "10.0.0.4", clusterIPs: ["10.0.0.5"] }),
    service("b", { clusterIPs: ["10.0.0.6"] }),
    service("c", { clusterIP: "10.0.0.7", clusterIPs: ["10.0.0.7"] }),
    service("d", { clusterIP: "None", clusterIPs: ["None"] }),
    service("e", { clusterIP: "None", clusterIPs: ["10.0.0.8"] }),
    service("f", { clusterIP: "" }),
    service("g", { clusterIP: "10.0.0.9", clusterIPs: ["10.0.0.9", "fd00::2"] }),
    del("services/c"),
  ),
  scenario(
    "headless",
    service("a", { clusterIP: "None" }),
    service("b", { clusterIP: "None", ports: null }),
    service("c", { clusterIP: "None", type: "NodePort" }),
    service("d", { clusterIP: "None", selector: { a: "b" }, publishNotReadyAddresses: true }),
    change("a", { clusterIP: "10.0.0.10" }),
    change("a", { clusterIP: null }),
  ),
  scenario(
    "an address stays",
    as("made", service("a", {})),
    change("a", { clusterIP: "10.0.0.11" }),
    change("a", { clusterIP: null }),
    change("a", { clusterIP: "" }),
    change("a", { clusterIPs: null, clusterIP: null }),
    put(
      "services/a",
      edited("made", {
        metadata: { resourceVersion: null },
        spec: { clusterIP: null, clusterIPs: null, selector: { a: "b" } },
      }),
    ),
    change("a", { clusterIP: "None" }),
    get("services/a"),
    del("services/a"),
  ),
  scenario(
    "types: cluster address, node port, load balancer, external name",
    service("a", {}),
    change("a", { type: "NodePort" }),
    change("a", { type: "LoadBalancer" }),
    change("a", { type: "ClusterIP" }),
    change("a", { type: "ExternalName", externalName: "x.example.com" }),
    change("a", {
      type: "ExternalName",
      externalName: "x.example.com",
      clusterIP: null,
      clusterIPs: null,
    }),
    change("a", { type: "ClusterIP", externalName: null }),
    change("a", { type: "Wrong" }),
    service("b", { type: "ExternalName" }),
    service("c", { type: "ExternalName", externalName: "y.example.com" }),
    service("d", { type: "ExternalName", externalName: "y.example.com", clusterIP: "10.0.0.12" }),
    service("e", { type: "LoadBalancer", allocateLoadBalancerNodePorts: false }),
    service("f", { type: "LoadBalancer", externalTrafficPolicy: "Local" }),
    del("services/a"),
    del("services/e"),
    del("services/f"),
  ),
  scenario(
    "node ports",
    service("a", { type: "NodePort", ports: [{ port: 80, nodePort: 30_009 }] }),
    service("b", { type: "NodePort", ports: [{ port: 80, nodePort: 30_009 }] }),
    service("c", { type: "NodePort", ports: [{ port: 80, nodePort: 8080 }] }),
    service("d", {
      type: "NodePort",
      ports: [
        { port: 80, nodePort: 30_008, name: "a" },
        { port: 80, nodePort: 30_008, protocol: "UDP", name: "b" },
      ],
    }),
    service("e", {
      type: "NodePort",
      ports: [
        { port: 80, nodePort: 30_007, name: "a" },
        { port: 81, nodePort: 30_007, name: "b" },
      ],
    }),
    service("f", { ports: [{ port: 80, nodePort: 30_006 }] }),
    service("g", {
      type: "NodePort",
      ports: [
        { port: 80, name: "x" },
        { port: 81, name: "y" },
      ],
    }),
    change("a", { ports: [{ port: 80, nodePort: 30_005 }] }),
    service("h", { type: "NodePort", ports: [{ port: 80, nodePort: 30_009 }] }),
    change("a", { ports: [{ port: 90 }] }),
    change("a", { type: "ClusterIP", ports: [{ port: 80, nodePort: null }] }),
    service("i", { type: "NodePort", ports: [{ port: 80, nodePort: 30_005 }] }),
    ...["a", "d", "g", "h", "i"].map((name) => del(`services/${name}`)),
  ),
  scenario(
    "ports",
    service("a", { ports: [] }),
    service("b", { ports: [{ port: 0 }] }),
    service("c", { ports: [{ port: 65_536 }] }),
    service("d", { ports: [{ port: 80 }, { port: 81 }] }),
    service("e", {
      ports: [
        { port: 80, name: "x" },
        { port: 80, name: "y" },
      ],
    }),
    service("f", {
      ports: [
        { port: 80, name: "x" },
        { port: 81, name: "x" },
      ],
    }),
    service("g", {
      ports: [{ port: 80, targetPort: "http", protocol: "SCTP", appProtocol: "example.com/p" }],
    }),
    service("h", { ports: [{ port: 80, targetPort: 0 }] }),
    service("i", { ports: [{ port: 80, protocol: "tcp" }] }),
    service("j", { ports: [{ name: "X", port: 80 }] }),
    post("services", { metadata: { name: "k" } }),
  ),
  scenario(
    "other fields",
    service("a", { sessionAffinity: "ClientIP" }),
    change("a", { sessionAffinity: "None" }),
    change("a", { sessionAffinityConfig: null, sessionAffinity: "None" }),
    service("b", { ipFamilyPolicy: "PreferDualStack" }),
    service("c", { ipFamilyPolicy: "RequireDualStack" }),
    service("d", { ipFamilies: ["IPv6"] }),
    service("e", { internalTrafficPolicy: "Local", trafficDistribution: "PreferClose" }),
    service("f", { externalIPs: ["192.0.2.1"] }),
    service("g", {
      type: "LoadBalancer",
      loadBalancerClass: "example.com/lb",
      loadBalancerSourceRanges: ["192.0.2.0/24"],
    }),
    change("g", { loadBalancerClass: "example.com/other" }),
    del("services", {}),
    get("services"),
  ),
];
