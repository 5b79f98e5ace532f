import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from "@homeostat/object-model/resource-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const selectors = [{ cel: { expression: 'device.driver == "gpu.example.com"' } }];
const config = { opaque: { driver: "gpu.example.com", parameters: { kind: "Settings" } } };
const nodeSelector = {
  nodeSelectorTerms: [
    { matchFields: [{ key: "metadata.name", operator: "In", values: ["node-1"] }] },
  ],
};

const deviceClasses = {
  plain: { spec: { selectors, config: [config], extendedResourceName: "example.com/gpu" } },
} satisfies Variants<DeviceClass>;

const spec = {
  devices: {
    requests: [
      {
        name: "gpu",
        exactly: {
          deviceClassName: "gpu.example.com",
          selectors,
          allocationMode: "ExactCount",
          count: 2,
          tolerations: [{ key: "a", operator: "Equal", value: "b", effect: "NoSchedule" }],
          capacity: { requests: { memory: "1Gi" } },
        },
      },
      {
        name: "any",
        firstAvailable: [
          {
            name: "big",
            deviceClassName: "gpu.example.com",
            selectors,
            allocationMode: "ExactCount",
            count: 1,
          },
          { name: "small", deviceClassName: "gpu.example.com", allocationMode: "All" },
        ],
      },
    ],
    constraints: [{ requests: ["gpu"], matchAttribute: "gpu.example.com/numa" }],
    config: [{ requests: ["gpu", "any/big"], ...config }],
  },
};

const claims = {
  plain: {
    spec,
    status: {
      allocation: {
        devices: {
          results: [
            { request: "gpu", driver: "gpu.example.com", pool: "pool", device: "gpu-0" },
            { request: "gpu", driver: "gpu.example.com", pool: "pool", device: "gpu-1" },
          ],
          config: [{ source: "FromClaim", requests: ["gpu"], ...config }],
        },
        nodeSelector,
      },
      reservedFor: [{ resource: "pods", name: "web", uid: "11111111-2222-3333-4444-555555555555" }],
      devices: [
        {
          driver: "gpu.example.com",
          pool: "pool",
          device: "gpu-0",
          conditions: [
            {
              type: "Ready",
              status: "True",
              lastTransitionTime: "2020-01-01T00:00:00Z",
              reason: "Because",
              message: "x",
            },
          ],
          data: { a: "b" },
          networkData: {
            interfaceName: "eth0",
            ips: ["10.9.8.0/24"],
            hardwareAddress: "ea:9f:cb:40:b5:7b",
          },
        },
      ],
    },
  },
  empty: { spec: {} },
} satisfies Variants<ResourceClaim>;

const templates = {
  plain: { spec: { metadata: { labels: { a: "b" }, annotations: { c: "d" } }, spec } },
} satisfies Variants<ResourceClaimTemplate>;

const pool = { name: "pool", generation: 1, resourceSliceCount: 1 };
const slices = {
  plain: {
    spec: {
      driver: "gpu.example.com",
      pool,
      nodeName: "node-1",
      devices: [
        {
          name: "gpu-0",
          attributes: {
            numa: { int: 1 },
            fast: { bool: true },
            model: { string: "x" },
            "gpu.example.com/driver": { version: "1.2.3" },
          },
          capacity: { memory: { value: "16Gi" } },
          taints: [
            { key: "a", value: "b", effect: "NoSchedule", timeAdded: "2020-01-01T00:00:00Z" },
          ],
        },
        { name: "gpu-1" },
      ],
    },
  },
  shared: {
    spec: {
      driver: "gpu.example.com",
      pool: { ...pool, resourceSliceCount: 2 },
      allNodes: true,
      sharedCounters: [{ name: "counters", counters: { memory: { value: "16Gi" } } }],
    },
  },
  consuming: {
    spec: {
      driver: "gpu.example.com",
      pool: { ...pool, resourceSliceCount: 2 },
      perDeviceNodeSelection: true,
      devices: [
        {
          name: "part-0",
          nodeSelector,
          consumesCounters: [{ counterSet: "counters", counters: { memory: { value: "8Gi" } } }],
        },
        { name: "part-1", allNodes: true },
        { name: "part-2", nodeName: "node-1" },
      ],
    },
  },
  selected: { spec: { driver: "gpu.example.com", pool, nodeSelector } },
} satisfies Variants<ResourceSlice>;

const resource = { group: "resource.k8s.io", version: "v1" } as const;

export const resourceKinds: readonly ProbedKind[] = [
  { ...resource, name: "deviceclasses", plural: "deviceclasses", variants: deviceClasses },
  { ...resource, name: "resourceclaims", plural: "resourceclaims", variants: claims },
  {
    ...resource,
    name: "resourceclaimtemplates",
    plural: "resourceclaimtemplates",
    variants: templates,
  },
  { ...resource, name: "resourceslices", plural: "resourceslices", variants: slices },
];
