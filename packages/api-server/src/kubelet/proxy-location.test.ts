import { seededRandom } from "@homeostat/concurrency";
import type { GroupResource } from "@homeostat/object-model";
import { expect, test } from "vitest";
import type { ObjectReader } from "../registry/strategy.ts";
import { NODE_ADDRESS_TYPES, type NodeConnector } from "./node-connector.ts";
import { locateNode, locatePod, locateService, type ProxyQuestion } from "./proxy-location.ts";

const unused: NodeConnector = {
  exchange: () => Promise.reject(new Error("nobody dials")),
  upgrade: () => Promise.reject(new Error("nobody dials")),
};

function question(id: string, objects: Record<string, object>, seed = 1): ProxyQuestion {
  const reader = {
    get: ({ resource }: GroupResource, name: string) => objects[`${resource}/${name}`],
  } as unknown as ObjectReader;
  return {
    reader,
    access: { connector: unused, addressTypes: NODE_ADDRESS_TYPES, allowLocalAddresses: false },
    about: { group: "", resource: "nodes" },
    namespace: "a",
    id,
    random: seededRandom(seed),
  };
}

const pod = (ip: string, ...ports: number[]): object => ({
  spec: {
    containers: [
      { name: "none" },
      { name: "some", ports: ports.map((containerPort) => ({ containerPort })) },
    ],
  },
  status: { podIPs: [{ ip }] },
});

test("a pod is reached at its first port, at the one asked for, or at that of the scheme", () => {
  const found = (id: string, ...ports: number[]): unknown => {
    const { scheme, host, port } = locatePod(question(id, { "pods/p": pod("10.0.0.7", ...ports) }));
    return `${scheme} ${host} ${port}`;
  };
  expect(found("p", 8080, 9090)).toBe("http 10.0.0.7 8080");
  expect(found("p:9090", 8080)).toBe("http 10.0.0.7 9090");
  expect(found("https:p:")).toBe("https 10.0.0.7 443");
  expect(found("p")).toBe("http 10.0.0.7 80");
  expect(() => found("p:web")).toThrow(
    "error trying to reach service: dial tcp: lookup tcp/web: unknown port",
  );
  expect(() => found("p:70000")).toThrow("dial tcp: address 70000: invalid port");
});

test.each(["", "127.0.0.1", "169.254.1.1", "::1", "fe80::1", "localhost"])(
  "a pod at %j is not reached",
  (ip) => {
    const asked = question("p", { "pods/p": pod(ip) });
    expect(() => locatePod(asked)).toThrow("address not allowed");
  },
);

const node = (addresses: object[], port = 0): object => ({
  status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } },
});

test("a node's kubelet gets the server's certificate, other ports of its machine do not", () => {
  const addresses = [
    { type: "ExternalIP", address: "8.8.8.8" },
    { type: "InternalIP", address: "10.0.0.2" },
  ];
  const at = (id: string): unknown => locateNode(question(id, { "nodes/n": node(addresses, 7) }));
  const kubelet = { scheme: "https", host: "10.0.0.2", port: 7, peer: "kubelet", globalOnly: true };
  expect(at("n")).toEqual(kubelet);
  expect(at("http:n:7")).toEqual(kubelet);
  expect(at("n:22")).toMatchObject({ scheme: "http", port: 22, peer: "workload" });
  expect(locateNode(question("n", { "nodes/n": node(addresses) })).port).toBe(10250);
  expect(() =>
    locateNode(question("n", { "nodes/n": node([{ type: "Odd", address: "x" }]) })),
  ).toThrow("no preferred addresses found; known addresses: [{Odd x}]");
});

test("a service goes to those of its addresses that their pods confirm", () => {
  const address = (ip: string, name: string, namespace = "a"): object => ({
    ip,
    targetRef: { kind: "Pod", namespace, name },
  });
  const objects = {
    "services/s": { spec: { ports: [{ name: "web", port: 80 }] } },
    "endpoints/s": {
      subsets: [
        { addresses: [], ports: [{ name: "web", port: 1 }] },
        {
          addresses: [
            { ip: "10.0.0.8" },
            address("10.0.0.9", "liar"),
            address("10.0.0.10", "honest", "b"),
            address("10.0.0.10", "honest"),
          ],
          ports: [{ name: "web", port: 8080 }],
        },
      ],
    },
    "pods/liar": pod("10.0.0.1"),
    "pods/honest": pod("10.0.0.10"),
  };
  for (let seed = 0; seed < 20; seed++) {
    for (const id of ["s:web", "s:80", "https:s:80"]) {
      const { host, port } = locateService(question(id, objects, seed));
      expect(`${host}:${port}`).toBe("10.0.0.10:8080");
    }
  }
  expect(() => locateService(question("s:other", objects))).toThrow(
    'no endpoints available for service "s:other"',
  );
});
