import { seededRandom } from "@homeostat/concurrency";
import type { KubernetesObject } from "@homeostat/object-model";
import type { Service, ServiceSpec } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import type { Companion, WriteContext } from "../registry/strategy.ts";
import { services } from "./services.ts";

/** As much of a plane as Services see: who holds which address and which port. */
class Pools {
  readonly addresses = new Map<string, KubernetesObject>();
  readonly claims = new Set<string>();
  readonly deleted: string[] = [];
  readonly ranges: KubernetesObject[] = [];
  endpoints = false;

  context(changed: Partial<WriteContext> = {}): WriteContext {
    return {
      operation: "create",
      subresource: "",
      dryRun: false,
      now: 0,
      random: seededRandom(7),
      user: { username: "admin" },
      breathe: async () => undefined,
      warn: () => undefined,
      settings: { serviceClusterIpRange: "10.0.0.0/24", serviceNodePortRange: [30000, 32767] },
      reader: {
        get: ({ resource }, name) =>
          resource === "endpoints" ? (this.endpoints ? {} : undefined) : this.addresses.get(name),
        list: () => this.ranges,
        namespacePhase: () => "Active",
        isClaimed: (claim) => this.claims.has(claim),
      },
      ...changed,
    };
  }

  carryOut(companions: readonly Companion[]): void {
    for (const companion of companions) {
      switch (companion.action) {
        case "claim":
          this.claims.add(companion.claim);
          break;
        case "release":
          this.claims.delete(companion.claim);
          break;
        case "create":
          this.addresses.set(companion.object.metadata?.name ?? "", companion.object);
          break;
        case "delete":
          this.deleted.push(`${companion.resource.resource}/${companion.name}`);
          this.addresses.delete(companion.name);
      }
    }
  }

  create(spec: ServiceSpec, changed: Partial<WriteContext> = {}): Service {
    const context = this.context(changed);
    const service = newService(spec);
    services.prepareForCreate?.(service, context);
    refuse(services.validate?.(service, context) ?? []);
    this.carryOut(services.companions?.({ object: service, old: undefined }, context) ?? []);
    return service;
  }

  update(old: Service, spec: ServiceSpec, changed: Partial<WriteContext> = {}): Service {
    const context = this.context({ operation: "update", ...changed });
    const service = {
      ...newService(spec),
      ...(old.status && { status: structuredClone(old.status) }),
    };
    services.prepareForUpdate?.(service, old, context);
    refuse(services.validateUpdate?.(service, old, context) ?? []);
    this.carryOut(services.companions?.({ object: service, old }, context) ?? []);
    return service;
  }

  remove(old: Service): void {
    const context = this.context({ operation: "delete" });
    this.carryOut(services.companions?.({ object: undefined, old }, context) ?? []);
  }
}

/** With what defaulting would have set. */
function newService(spec: ServiceSpec): Service {
  const type = spec.type ?? "ClusterIP";
  const onNodes = type === "NodePort" || type === "LoadBalancer";
  const ports = spec.ports ?? [{ port: 80 }];
  return {
    metadata: { name: "web", namespace: "default" },
    spec: {
      sessionAffinity: "None",
      selector: { app: "web" },
      ...(type !== "ExternalName" && { internalTrafficPolicy: "Cluster" }),
      ...(onNodes && { externalTrafficPolicy: "Cluster" }),
      ...(type === "LoadBalancer" && { allocateLoadBalancerNodePorts: true }),
      ...structuredClone(spec),
      type,
      ports: ports.map((port) =>
        Object.assign({ protocol: "TCP", targetPort: port.port }, structuredClone(port)),
      ),
    },
  };
}

function refuse(errors: readonly unknown[]): void {
  if (errors.length > 0) throw new Error(errors.join(", "));
}

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("it was accepted");
}

test("a Service gets an address of the upper part of the range, and an IPAddress for it", () => {
  const pools = new Pools();
  const { spec } = pools.create({});
  expect(spec).toMatchObject({
    clusterIP: expect.stringMatching(/^10\.0\.0\.\d+$/),
    clusterIPs: [spec?.clusterIP],
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
  });
  expect(Number(spec?.clusterIP?.split(".")[3])).toBeGreaterThan(16);
  expect(pools.addresses.get(spec?.clusterIP ?? "")).toEqual({
    apiVersion: "networking.k8s.io/v1",
    kind: "IPAddress",
    metadata: {
      name: spec?.clusterIP,
      labels: {
        "ipaddress.kubernetes.io/ip-family": "IPv4",
        "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
      },
    },
    spec: { parentRef: { resource: "services", namespace: "default", name: "web" } },
  });
});

test("all 254 addresses can be had, the lower ones last, and then the range is full", () => {
  const pools = new Pools();
  const given = Array.from({ length: 254 }, () => pools.create({}).spec?.clusterIP ?? "");
  expect(new Set(given).size).toBe(254);
  expect(given.slice(-16).every((ip) => Number(ip.split(".")[3]) <= 16)).toBe(true);
  expect(messageOf(() => pools.create({}))).toBe(
    'Internal error occurred: failed to allocate a serviceIP for Service "web": range is full',
  );
});

test("an address can be asked for once, and only inside the range", () => {
  const pools = new Pools();
  expect(pools.create({ clusterIP: "10.0.0.7" }).spec?.clusterIPs).toEqual(["10.0.0.7"]);
  const failed = (ip: string): string => messageOf(() => pools.create({ clusterIP: ip }));
  expect(failed("10.0.0.7")).toBe(
    'Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.7"]: failed to allocate IP 10.0.0.7: provided IP is already allocated',
  );
  for (const ip of ["10.9.0.7", "10.0.0.0", "10.0.0.255"]) {
    expect(failed(ip)).toBe(
      `Service "web" is invalid: spec.clusterIPs: Invalid value: ["${ip}"]: failed to allocate IP ${ip}: the provided network does not match the current range`,
    );
  }
  expect(failed("010.0.0.7")).toBe(
    'Service "web" is invalid: spec.clusterIPs[0]: Invalid value: "010.0.0.7": must not have leading 0s',
  );
  expect(failed("fd00::1")).toBe(
    'Service "web" is invalid: spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
  );
});

test("a further ServiceCIDR gives addresses, once the first range is full or when asked", () => {
  const pools = new Pools();
  const extra = (name: string, cidr: string, more = {}): KubernetesObject =>
    Object.assign({ metadata: { name }, spec: { cidrs: ["fd00::/112", cidr] } }, more);
  const waiting = { status: { conditions: [{ type: "Ready", status: "False" }] } };
  pools.ranges.push(extra("more", "192.168.9.0/30"), extra("not yet", "192.168.8.0/30", waiting));
  expect(pools.create({ clusterIP: "192.168.9.1" }).spec?.clusterIP).toBe("192.168.9.1");
  for (const ip of ["192.168.9.3", "192.168.8.1"]) {
    expect(messageOf(() => pools.create({ clusterIP: ip }))).toContain(
      "the provided network does not match the current range",
    );
  }
  for (let i = 0; i < 254; i++) pools.create({});
  expect(pools.create({}).spec?.clusterIP).toBe("192.168.9.2");
  expect(messageOf(() => pools.create({}))).toContain("range is full");
});

test("a range that is to go gives out nothing, be it the plane's own", () => {
  const pools = new Pools();
  const range = (cidr: string, metadata = {}): KubernetesObject =>
    Object.assign({ metadata: { name: cidr, ...metadata }, spec: { cidrs: [cidr] } });
  pools.ranges.push(range("10.0.0.0/24"), range("10.5.0.0/28"));
  expect(pools.create({}).spec?.clusterIP).toMatch(/^10\.0\.0\./);
  pools.ranges[0] = range("10.0.0.0/24", { deletionTimestamp: "2026-01-01T00:00:00Z" });
  expect(pools.create({}).spec?.clusterIP).toMatch(/^10\.5\.0\./);
  expect(messageOf(() => pools.create({ clusterIP: "10.0.0.9" }))).toContain("does not match");
});

test("two families cannot be demanded of a plane with one", () => {
  expect(messageOf(() => new Pools().create({ ipFamilyPolicy: "RequireDualStack" }))).toBe(
    'Service "web" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  );
  expect(new Pools().create({ ipFamilyPolicy: "PreferDualStack" }).spec?.ipFamilies).toEqual([
    "IPv4",
  ]);
});

test("a headless Service gets no address; without a selector it has both families", () => {
  const pools = new Pools();
  const withSelector = pools.create({ clusterIP: "None" }).spec;
  expect(withSelector).toMatchObject({ clusterIPs: ["None"], ipFamilies: ["IPv4"] });
  const without = pools.create({ clusterIP: "None", selector: {} }).spec;
  expect(without).toMatchObject({
    ipFamilies: ["IPv4", "IPv6"],
    ipFamilyPolicy: "RequireDualStack",
  });
  expect(pools.addresses.size).toBe(0);
});

test("an ExternalName gets nothing and shows no internal traffic policy", () => {
  const pools = new Pools();
  const spec = { type: "ExternalName", externalName: "a.b", internalTrafficPolicy: "Cluster" };
  expect(pools.create(spec).spec).toEqual({
    type: "ExternalName",
    externalName: "a.b",
    ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
    selector: { app: "web" },
    sessionAffinity: "None",
  });
  expect(pools.addresses.size).toBe(0);
});

test("ports of one number share a node port, and others get their own", () => {
  const pools = new Pools();
  const ports = [
    { port: 53, name: "t" },
    { port: 53, name: "u", protocol: "UDP" },
    { port: 80, name: "h" },
  ];
  const [tcp, udp, http] = pools.create({ type: "NodePort", ports }).spec?.ports ?? [];
  expect(tcp?.nodePort).toBeGreaterThanOrEqual(30086);
  expect(udp?.nodePort).toBe(tcp?.nodePort);
  expect(http?.nodePort).not.toBe(tcp?.nodePort);
  expect(pools.claims).toEqual(
    new Set([`nodeport/${tcp?.nodePort}`, `nodeport/${http?.nodePort}`]),
  );
});

test("a node port can be asked for once, and only inside the range", () => {
  const pools = new Pools();
  const asking = (nodePort: number): ServiceSpec => ({
    type: "NodePort",
    ports: [{ port: 80, nodePort }],
  });
  pools.create(asking(30001));
  expect(messageOf(() => pools.create(asking(30001)))).toBe(
    'Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated',
  );
  expect(messageOf(() => pools.create(asking(80)))).toBe(
    'Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  );
});

test("a load balancer with local traffic gets a health check port, and may refuse node ports", () => {
  const pools = new Pools();
  const spec = { type: "LoadBalancer", externalTrafficPolicy: "Local" };
  const made = pools.create({ ...spec, allocateLoadBalancerNodePorts: false }).spec;
  expect(made?.ports?.[0]).not.toHaveProperty("nodePort");
  expect(pools.claims).toEqual(new Set([`nodeport/${made?.healthCheckNodePort}`]));
  expect(messageOf(() => pools.create({ ...spec, healthCheckNodePort: 5 }))).toBe(
    "Internal error occurred: failed to allocate requested HealthCheck NodePort 5: provided port is not in the valid range. The range of valid ports is 30000-32767",
  );
});

test("a dry run shows made-up values and takes nothing", () => {
  const pools = new Pools();
  const ports = [
    { port: 80, name: "a" },
    { port: 80, name: "b", protocol: "UDP" },
    { port: 81, name: "c" },
  ];
  const spec = { type: "LoadBalancer", externalTrafficPolicy: "Local", ports };
  const shown = pools.create(spec, { dryRun: true }).spec;
  expect(shown?.clusterIPs).toEqual(["10.0.0.0"]);
  expect(shown?.ports?.map(({ nodePort }) => nodePort)).toEqual([32769, 32769, 32770]);
  expect(shown?.healthCheckNodePort).toBe(32771);
  expect([pools.addresses.size, pools.claims.size]).toEqual([0, 0]);
  expect(messageOf(() => pools.create({ clusterIP: "10.9.0.1" }, { dryRun: true }))).toBe(
    'Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.9.0.1"]: failed to allocate IP 10.9.0.1: the provided IP (10.9.0.1) is not in the valid range. The range of valid IPs is 10.0.0.0/24',
  );
});

test("an update that leaves out what the server chose keeps it", () => {
  const pools = new Pools();
  const spec = { type: "LoadBalancer", externalTrafficPolicy: "Local" };
  const old = pools.create(spec);
  const before = new Set(pools.claims);
  const updated = pools.update(old, spec);
  expect(updated.spec).toEqual(old.spec);
  expect(pools.claims).toEqual(before);
});

test("an address cannot change once set, nor become headless", () => {
  const pools = new Pools();
  const old = pools.create({ clusterIP: "10.0.0.7" });
  expect(messageOf(() => pools.update(old, { clusterIP: "10.0.0.8" }))).toBe(
    'spec.clusterIPs[0]: Invalid value: ["10.0.0.8"]: may not change once set',
  );
  expect(messageOf(() => pools.update(old, { clusterIP: "None" }))).toContain(
    'spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set',
  );
});

test("a change to ExternalName gives everything back, and one from it takes anew", () => {
  const pools = new Pools();
  const old = pools.create({ type: "NodePort" });
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = old.spec ?? {};
  const named = pools.update(old, {
    type: "ExternalName",
    externalName: "a.b",
    ...(clusterIP && { clusterIP }),
    ...(clusterIPs && { clusterIPs }),
    ...(ipFamilies && { ipFamilies }),
    ...(ipFamilyPolicy && { ipFamilyPolicy }),
    ports: [{ port: 80, nodePort: old.spec?.ports?.[0]?.nodePort ?? 0 }],
  });
  expect(named.spec).not.toHaveProperty("clusterIP");
  expect(named.spec?.ports?.[0]).not.toHaveProperty("nodePort");
  expect([pools.addresses.size, pools.claims.size]).toEqual([0, 0]);
  const again = pools.update(named, {});
  expect([...pools.addresses.keys()]).toEqual(again.spec?.clusterIPs);
});

test("a change to ClusterIP releases node ports and clears the load balancer's status", () => {
  const pools = new Pools();
  const old = pools.create({ type: "LoadBalancer" });
  old.status = { loadBalancer: { ingress: [{ ip: "1.2.3.4", ipMode: "VIP" }] } };
  const updated = pools.update(old, {
    externalTrafficPolicy: "Cluster",
    allocateLoadBalancerNodePorts: true,
    ports: old.spec?.ports ?? [],
  });
  expect(updated.status).toEqual({ loadBalancer: {} });
  expect(updated.spec).not.toHaveProperty("allocateLoadBalancerNodePorts");
  expect(updated.spec).not.toHaveProperty("externalTrafficPolicy");
  expect(pools.claims.size).toBe(0);
  expect([...pools.addresses.keys()]).toEqual(updated.spec?.clusterIPs);
});

test("a node port that is changed on the way to ClusterIP is refused, not dropped", () => {
  const pools = new Pools();
  const old = pools.create({ type: "NodePort", ports: [{ port: 80, nodePort: 30001 }] });
  expect(messageOf(() => pools.update(old, { ports: [{ port: 80, nodePort: 30002 }] }))).toBe(
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  );
});

test("changed node ports are claimed and released; the same pair twice is a server error", () => {
  const pools = new Pools();
  const ports = [{ port: 80, name: "a", nodePort: 30001 }];
  const old = pools.create({ type: "NodePort", ports });
  pools.update(old, { type: "NodePort", ports: [{ port: 80, name: "a", nodePort: 30002 }] });
  expect(pools.claims).toEqual(new Set(["nodeport/30002"]));
  const twice = [...ports, { port: 81, name: "b", nodePort: 30001 }];
  expect(messageOf(() => pools.update(old, { type: "NodePort", ports: twice }))).toBe(
    "duplicate nodePort: {TCP 30001}",
  );
});

test("a removed Service gives back its address, its ports and its Endpoints", () => {
  const pools = new Pools();
  pools.endpoints = true;
  const old = pools.create({ type: "NodePort" });
  pools.remove(old);
  expect([pools.addresses.size, pools.claims.size]).toEqual([0, 0]);
  expect(pools.deleted).toEqual([`ipaddresses/${old.spec?.clusterIP}`, "endpoints/web"]);
});

test("when somebody was faster, what the server chose is chosen anew", () => {
  const pools = new Pools();
  const context = pools.context();
  const service = newService({ type: "NodePort" });
  services.prepareForCreate?.(service, context);
  const first = structuredClone(service.spec);
  const change = { object: service, old: undefined };
  services.companions?.(change, context);
  pools.addresses.set(first?.clusterIP ?? "", {});
  pools.claims.add(`nodeport/${first?.ports?.[0]?.nodePort}`);
  const second = services.companions?.(change, context) ?? [];
  expect(service.spec?.clusterIP).not.toBe(first?.clusterIP);
  expect(service.spec?.ports?.[0]?.nodePort).not.toBe(first?.ports?.[0]?.nodePort);
  expect(second).toContainEqual({
    action: "claim",
    claim: `nodeport/${service.spec?.ports?.[0]?.nodePort}`,
  });
});

test("when somebody was faster, what the client asked for is refused", () => {
  const pools = new Pools();
  const context = pools.context();
  const service = newService({ clusterIP: "10.0.0.7" });
  services.prepareForCreate?.(service, context);
  pools.addresses.set("10.0.0.7", {});
  expect(() => services.companions?.({ object: service, old: undefined }, context)).toThrow(
    "failed to allocate IP 10.0.0.7: provided IP is already allocated",
  );
});

test("a status update changes no spec, and names addresses only for load balancers", () => {
  const pools = new Pools();
  const old = pools.create({});
  const status = { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } };
  const changed: Service = { ...newService({ type: "LoadBalancer" }), status };
  const strategy = services.subresources?.["status"];
  strategy?.prepareForUpdate(changed, old, pools.context());
  expect(changed.spec).toEqual(old.spec);
  expect(String(strategy?.validateUpdate?.(changed, old, pools.context()))).toBe(
    "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
  );
});

test("the fields of a Service are checked in Kubernetes' words", () => {
  const said = (spec: ServiceSpec): string => messageOf(() => new Pools().create(spec));
  expect(said({ ports: [] })).toBe("spec.ports: Required value");
  expect(said({ type: "ExternalName", externalName: "." })).toBe(
    "spec.externalName: Required value",
  );
  expect(said({ ports: [{ port: 80 }, { port: 80, name: "A" }] })).toBe(
    "spec.ports[0].name: Required value, spec.ports[1].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'), " +
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
  );
  expect(said({ sessionAffinity: "X" })).toBe(
    'spec.sessionAffinity: Unsupported value: "X": supported values: "ClientIP", "None"',
  );
  expect(said({ externalIPs: ["127.0.0.1", "x"], externalTrafficPolicy: "Local" })).toBe(
    'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128), spec.externalIPs[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  );
  expect(said({ type: "LoadBalancer", loadBalancerSourceRanges: ["1.2.3.4/24", "fd00::/8"] })).toBe(
    'spec.LoadBalancerSourceRanges[0]: Invalid value: "1.2.3.4/24": must not have bits set beyond the prefix length',
  );
});

test("what is accepted all the same is warned about", () => {
  const warned = (spec: ServiceSpec): readonly string[] =>
    services.warnings?.(new Pools().create(spec), undefined) ?? [];
  expect(warned({})).toEqual([]);
  expect(warned({ trafficDistribution: "PreferClose", externalName: "a" })).toEqual([
    'spec.externalName is ignored when spec.type is not "ExternalName"',
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ]);
});

test("Services are found by address and type", () => {
  const { spec, ...rest } = new Pools().create({ clusterIP: "10.0.0.7" });
  const fields = Object.entries(services.selectableFields ?? {});
  const values = fields.map(([name, read]) => [name, read({ ...rest, ...(spec && { spec }) })]);
  expect(values).toEqual([
    ["spec.clusterIP", "10.0.0.7"],
    ["spec.type", "ClusterIP"],
  ]);
});
