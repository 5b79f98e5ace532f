/** Rules about several fields at once, of the groups beside core, apps and batch. */
import { type ExtraProbe, extras } from "../probe.ts";

const staticName = { "metadata.name": "a.static.k8s.io" };
const rules = (path: string) => ({
  "every subresource and one": { [`${path}.resources`]: ["pods/*", "pods/status"] },
  "one subresource of all": { [`${path}.resources`]: ["*/status", "pods/status"] },
  "all and one": { [`${path}.resources`]: ["*/*", "pods"] },
  "all kinds and one": { [`${path}.resources`]: ["*", "pods"] },
  "all groups": {
    [`${path}.apiGroups`]: ["*"],
    [`${path}.apiVersions`]: ["*"],
    [`${path}.operations`]: ["*"],
  },
  "no resource before the slash": { [`${path}.resources`]: ["/status"] },
});
const approval = (...types: string[]) => ({
  "status.conditions": types.map((type) => ({ type, status: "True", reason: "R" })),
});
const policy = (capacity: object) => ({
  "spec.devices[0].allowMultipleAllocations": true,
  "spec.devices[0].capacity.memory": {
    value: "16Gi",
    requestPolicy: JSON.parse(JSON.stringify(capacity)),
  },
});

export const groupExtras: Readonly<Record<string, readonly ExtraProbe[]>> = {
  validatingwebhookconfigurations: [
    ...extras("plain", "create", { "static name": staticName, ...rules("webhooks[0].rules[0]") }),
    ...extras("plain", "create", {
      "url and service": { "webhooks[0].clientConfig.url": "https://a.example" },
      "neither url nor service": { "webhooks[0].clientConfig": {} },
      "names twice": { "webhooks[1]": { name: "check.example.com" } },
      "unknown versions only": { "webhooks[0].admissionReviewVersions": ["v2"] },
      "side effects": { "webhooks[0].sideEffects": "Some" },
      "condition not of truth": { "webhooks[0].matchConditions[0].expression": "1 + 1" },
      "condition of nonsense": { "webhooks[0].matchConditions[0].expression": "request.nonsense" },
      "many conditions": {
        "webhooks[0].matchConditions": Array.from({ length: 65 }, (_, i) => ({
          name: `c${i}`,
          expression: "true",
        })),
      },
      "bad bundle": { "webhooks[0].clientConfig.caBundle": "YWJj" },
    }),
  ],
  mutatingwebhookconfigurations: extras("plain", "create", {
    "static name": staticName,
    "names twice": { "webhooks[1]": { name: "check.example.com" } },
  }),
  validatingadmissionpolicies: [
    ...extras("full", "create", {
      "static name": staticName,
      ...rules("spec.matchConstraints.resourceRules[0]"),
      "group only": { "spec.paramKind.apiVersion": "example.com/" },
      "version only": { "spec.paramKind.apiVersion": "v1" },
      "three parts": { "spec.paramKind.apiVersion": "a/b/c" },
      "no rules": { "spec.validations": [], "spec.auditAnnotations": [] },
      "blank message": { "spec.validations[0].message": " " },
      "blank message expression": { "spec.validations[0].messageExpression": " " },
      "message of two lines": { "spec.validations[0].message": "a\nb" },
      "message of a number": { "spec.validations[0].messageExpression": "1" },
      "expression of two lines": {
        "spec.validations[0].expression": "true &&\ntrue",
        "spec.validations[0].message": undefined,
        "spec.validations[0].messageExpression": undefined,
      },
      "unknown variable": { "spec.validations[0].expression": "variables.none" },
      "parameters without kind": { "spec.paramKind": undefined },
      "variable of nonsense": { "spec.variables[0].expression": "object." },
      "variable of a bad name": { "spec.variables[0].name": "1a" },
      "annotation of a number": { "spec.auditAnnotations[0].valueExpression": "1" },
      "many annotations": {
        "spec.auditAnnotations": Array.from({ length: 21 }, (_, i) => ({
          key: `k${i}`,
          valueExpression: "'x'",
        })),
      },
      "long annotation": { "spec.auditAnnotations[0].valueExpression": `'${"x".repeat(5200)}'` },
      "no constraints": { "spec.matchConstraints": undefined },
    }),
  ],
  validatingadmissionpolicybindings: extras("plain", "create", {
    "static name": staticName,
    "deny and warn": { "spec.validationActions": ["Deny", "Warn"] },
    "name and selector": { "spec.paramRef.selector": {} },
  }),
  mutatingadmissionpolicies: [
    ...extras("apply", "create", {
      "static name": staticName,
      "of nonsense": { "spec.mutations[0].applyConfiguration.expression": "Object{nonsense" },
      "not an object": { "spec.mutations[0].applyConfiguration.expression": "1" },
      "both patches": { "spec.mutations[0].jsonPatch": { expression: "[]" } },
    }),
    ...extras("patch", "create", {
      "not a patch": { "spec.mutations[0].jsonPatch.expression": "1" },
      "unknown variable": { "spec.mutations[0].jsonPatch.expression": "variables.x" },
    }),
  ],
  ingresses: [
    ...extras("rules", "create", {
      "class by annotation too": { 'metadata.annotations["kubernetes.io/ingress.class"]': "other" },
      "path that climbs": { "spec.rules[0].http.paths[0].path": "/a/.." },
      "path with slashes": { "spec.rules[0].http.paths[0].path": "/a//b" },
      "path with escapes": { "spec.rules[0].http.paths[0].path": "/a%2fb" },
      "path that stays": { "spec.rules[0].http.paths[0].path": "/a/./b" },
      "host that is an address": { "spec.rules[0].host": "10.1.2.3" },
      "backend of both": {
        "spec.rules[0].http.paths[0].backend.resource": { kind: "a", name: "b" },
      },
      "port of both": {
        "spec.rules[0].http.paths[0].backend.service.port": { name: "a", number: 1 },
      },
    }),
    ...extras("rules", "status", {
      "name that is an address": { "status.loadBalancer.ingress[1].hostname": "10.1.1.1" },
    }),
  ],
  networkpolicies: extras("full", "create", {
    "exception outside": { "spec.ingress[0].from[0].ipBlock.except": ["10.9.0.0/24"] },
    "exception as large": { "spec.ingress[0].from[0].ipBlock.except": ["10.1.0.0/16"] },
    "block and selector": { "spec.ingress[0].from[0].podSelector": {} },
    "end of a named port": { "spec.ingress[0].ports[1].endPort": 99 },
    "end below the begin": { "spec.ingress[0].ports[0].endPort": 70 },
    "three types": { "spec.policyTypes": ["Ingress", "Egress", "Other"] },
  }),
  flowschemas: [
    ...extras("full", "create", {
      "the exempt one": { "metadata.name": "exempt" },
      "the catch-all": { "metadata.name": "catch-all" },
      "all and one": {
        "spec.rules[0].resourceRules[0].verbs": ["*", "get"],
        "spec.rules[0].resourceRules[0].apiGroups": ["*", "apps"],
        "spec.rules[0].resourceRules[0].resources": ["*", "pods"],
        "spec.rules[0].resourceRules[0].namespaces": ["*", "a"],
        "spec.rules[0].nonResourceRules[0].verbs": ["*", "get"],
        "spec.rules[0].nonResourceRules[0].nonResourceURLs": ["*", "/a"],
      },
      "bad urls": {
        "spec.rules[0].nonResourceRules[0].nonResourceURLs": [
          "/a//b",
          "/a*b",
          "a",
          "/a b",
          "/*",
          "*/a",
        ],
      },
      "no rule of a subject": {
        "spec.rules[0].resourceRules": [],
        "spec.rules[0].nonResourceRules": [],
      },
      "subject of two": { "spec.rules[0].subjects[0].group": { name: "a" } },
    }),
  ],
  prioritylevelconfigurations: extras("queued", "create", {
    "the exempt one": { "metadata.name": "exempt" },
    "the catch-all": { "metadata.name": "catch-all" },
    "exempt type": { "spec.type": "Exempt", "spec.limited": undefined },
    "exempt one with limits": { "metadata.name": "exempt", "spec.type": "Exempt" },
    "limited with exemption": { "spec.exempt": { nominalConcurrencyShares: 1 } },
    "too many hands": { "spec.limited.limitResponse.queuing": { queues: 128, handSize: 20 } },
    "hands above queues": { "spec.limited.limitResponse.queuing": { queues: 2, handSize: 5 } },
    "refused with queues": { "spec.limited.limitResponse.type": "Reject" },
    "preserving zero": {
      'metadata.annotations["flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares"]': "",
    },
  }),
  certificatesigningrequests: [
    ...extras("plain", "create", {
      "legacy signer": { "spec.signerName": "kubernetes.io/legacy-unknown" },
      "no request": { "spec.request": "YWJj" },
      "short validity": { "spec.expirationSeconds": 599 },
      "usages twice": { "spec.usages": ["client auth", "client auth"] },
      "unknown usage": { "spec.usages": ["magic"] },
      "signer of no domain": { "spec.signerName": "signer/name" },
      "signer of two slashes": { "spec.signerName": "example.com/a/b" },
    }),
    ...extras("plain", "approval", {
      approved: approval("Approved"),
      denied: approval("Denied"),
      both: approval("Approved", "Denied"),
      failed: approval("Failed"),
      unnamed: approval(""),
      twice: approval("Approved", "Approved"),
      "not true": { "status.conditions": [{ type: "Approved", status: "False" }] },
      "with a certificate": { "status.certificate": "YWJj" },
    }),
    ...extras("plain", "status", {
      approved: approval("Approved"),
      failed: approval("Failed"),
      "no certificate": { "status.certificate": "YWJj" },
    }),
  ],
  priorityclasses: extras("plain", "create", {
    "system name": { "metadata.name": "system-mine" },
    "system name of a known class": { "metadata.name": "system-node-critical" },
    "value above": { value: 1_000_000_001 },
  }),
  leases: extras("plain", "create", {
    "holder without strategy": { "spec.preferredHolder": "x" },
    "unknown strategy": { "spec.strategy": "Mine" },
    "known strategy": { "spec.strategy": "OldestEmulationVersion", "spec.preferredHolder": "x" },
    "strategy of a domain": { "spec.strategy": "example.com/mine" },
  }),
  csinodes: extras("plain", "create", { "long id": { "spec.drivers[0].nodeID": "a".repeat(193) } }),
  endpointslices: extras("plain", "create", {
    "many addresses": {
      "endpoints[0].addresses": Array.from({ length: 101 }, (_, i) => `10.1.3.${i}`),
    },
    "addresses of the other family": { "endpoints[0].addresses": ["fd00::1"] },
    "topology of a node": { 'endpoints[0].deprecatedTopology["kubernetes.io/hostname"]': "x" },
    "many zones": {
      "endpoints[0].hints.forZones": Array.from({ length: 9 }, (_, i) => ({ name: `z${i}` })),
    },
    "ports twice": {
      ports: [
        { name: "a", port: 1 },
        { name: "a", port: 2 },
      ],
    },
  }),
  poddisruptionbudgets: extras("least", "create", {
    both: { "spec.maxUnavailable": 1 },
    neither: { "spec.minAvailable": undefined },
  }),
  horizontalpodautoscalers: [
    ...extras("full", "create", {
      "scaled to nothing": { "spec.minReplicas": 0 },
      "most below least": { "spec.maxReplicas": 1 },
      "metric of two sources": {
        "spec.metrics[0].external": { metric: { name: "a" }, target: { type: "Value" } },
      },
      "metric of another source": { "spec.metrics[0].type": "Pods" },
      "target of two values": { "spec.metrics[0].resource.target.averageValue": "5" },
      "value of pods": { "spec.metrics[3].pods.target": { type: "Value", value: "5" } },
    }),
    ...extras("plain", "create", {
      "metrics by annotation": {
        'metadata.annotations["autoscaling.alpha.kubernetes.io/metrics"]': "[]",
      },
      "behavior without policies": { "spec.behavior": { scaleUp: { policies: [] } } },
      "path in a name": { "spec.scaleTargetRef.name": "..", "spec.scaleTargetRef.kind": "a/b" },
    }),
  ],
  clusterroles: extras("plain", "create", {
    "both kinds of rule": { "rules[0].nonResourceURLs": ["/a"] },
    "names of urls": { "rules[1].resourceNames": ["a"], "rules[1].apiGroups": [""] },
    "odd urls": { "rules[1].nonResourceURLs": ["*", "/a*", "a/*", "/*/b"] },
  }),
  roles: extras("plain", "create", {
    urls: { "rules[0]": { nonResourceURLs: ["/a"], verbs: ["get"] } },
  }),
  resourceclaims: [
    ...extras("plain", "create", {
      "condition too complex": {
        "spec.devices.requests[0].exactly.selectors[0].cel.expression":
          "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, a + b + c + d > 0))))",
      },
      "condition of nonsense": {
        "spec.devices.requests[0].exactly.selectors[0].cel.expression": "device.nonsense == 1",
      },
      "all with a count": { "spec.devices.requests[0].exactly.allocationMode": "All" },
      "both kinds of request": {
        "spec.devices.requests[0].firstAvailable": [{ name: "a", deviceClassName: "b" }],
      },
      "neither kind of request": { "spec.devices.requests[0].exactly": undefined },
      "unknown request": { "spec.devices.constraints[0].requests": ["none", "any/none"] },
      "both attributes": { "spec.devices.constraints[0].distinctAttribute": "a/b" },
      administrator: { "spec.devices.requests[0].exactly.adminAccess": true },
      "parameters of null": { "spec.devices.config[0].opaque.parameters": null },
      "tolerating all": {
        "spec.devices.requests[0].exactly.tolerations": [
          { operator: "Exists", value: "x" },
          { operator: "Equal" },
          { key: "a", operator: "Exists", effect: "Never" },
        ],
      },
    }),
    ...extras("plain", "update", {
      "another request": { "spec.devices.requests[0].exactly.count": 3 },
    }),
    ...extras("plain", "status", {
      "no device of the request": { "status.allocation.devices.results[0].request": "none" },
      "device not allocated": { "status.devices[0].device": "other" },
      "reserved twice": {
        "status.reservedFor[1]": {
          resource: "pods",
          name: "other",
          uid: "11111111-2222-3333-4444-555555555555",
        },
      },
      "reserved without allocation": {
        "status.allocation": undefined,
        "status.devices": undefined,
      },
      "bad network data": {
        "status.devices[0].networkData": {
          ips: ["10.1.1.1", "10.1.1.0/33"],
          hardwareAddress: "x".repeat(129),
        },
      },
    }),
  ],
  resourceslices: [
    ...extras("plain", "create", {
      "two policies": policy({
        default: "1Gi",
        validValues: ["1Gi"],
        validRange: { min: "1Gi" },
      }),
      "values without default": policy({ validValues: ["1Gi"] }),
      "values in disorder": policy({ default: "3Gi", validValues: ["2Gi", "1Gi", "1Gi", "99Gi"] }),
      "range without default": policy({ validRange: { min: "1Gi" } }),
      "range without least": policy({ default: "1Gi", validRange: {} }),
      "range of nonsense": policy({
        default: "1Mi",
        validRange: { min: "99Gi", max: "98Gi", step: "3" },
      }),
      "steps that do not fit": policy({
        default: "1500Mi",
        validRange: { min: "1Gi", max: "5Gi", step: "1Gi" },
      }),
      "good range": policy({ default: "1Gi", validRange: { min: "1Gi", max: "5Gi", step: "1Gi" } }),
      "policy of a single device": {
        "spec.devices[0].capacity.memory.requestPolicy": { default: "1Gi", validValues: ["1Gi"] },
      },
      "attribute of two types": { "spec.devices[0].attributes.numa": { int: 1, bool: true } },
      "attribute of no type": { "spec.devices[0].attributes.numa": {} },
      "attribute without domain": { 'spec.devices[0].attributes["/a"]': { int: 1 } },
      "attribute without name": { 'spec.devices[0].attributes["a.com/"]': { int: 1 } },
      "bad version": { 'spec.devices[0].attributes["gpu.example.com/driver"]': { version: "v1" } },
      "many attributes": {
        "spec.devices[0].attributes": Object.fromEntries(
          Array.from({ length: 33 }, (_, i) => [`a${i}`, { int: i }]),
        ),
      },
      "conditions in both": {
        "spec.devices[0].bindingConditions": ["A", "B"],
        "spec.devices[0].bindingFailureConditions": ["B"],
        "spec.devices[0].bindsToNode": true,
      },
      "two ways to nodes": { "spec.allNodes": true },
      "no way to nodes": { "spec.nodeName": undefined },
      "node of a device": { "spec.devices[0].nodeName": "node-1" },
      "counters of nobody": {
        "spec.devices[0].consumesCounters": [
          { counterSet: "none", counters: { a: { value: "1" } } },
        ],
      },
    }),
    ...extras("plain", "update", {
      "another driver": { "spec.driver": "other.example.com" },
      "another node": { "spec.nodeName": "node-2" },
      "another pool": { "spec.pool.name": "other" },
    }),
  ],
};
