/** Pod security standards by the labels of namespaces: refusals, warnings, and what they say. */
import type { JsonObject } from "@homeostat/object-model";
import {
  patch,
  post,
  type RequestStep,
  type Scenario,
  type Step,
  scenario,
  settle,
} from "../scenario.ts";

const image = "registry.example/app:1";
const container = { name: "main", image };
const PREFIX = "pod-security.kubernetes.io/";

const label = (labels: Readonly<Record<string, string | null>>): RequestStep =>
  patch("/api/v1/namespaces/${ns}", [
    "merge",
    {
      metadata: {
        labels: Object.fromEntries(
          Object.entries(labels).map(([name, value]) => [`${PREFIX}${name}`, value]),
        ),
      },
    },
  ]);

/** The account that a controller would make, and the labels, once caches have followed. */
const labelled = (labels: Readonly<Record<string, string>>): Step[] => [
  post("serviceaccounts", { metadata: { name: "default" }, automountServiceAccountToken: false }),
  label(labels),
  settle(),
];

const pod = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): RequestStep =>
  post("pods", { metadata: { name, ...metadata }, spec: { containers: [container], ...spec } });
const withContext = (name: string, securityContext: JsonObject): RequestStep =>
  pod(name, { containers: [{ ...container, securityContext }] });

const restricted = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [container] } };
const selector = { matchLabels: { a: "b" } };

export const admissionSecurity: readonly Scenario[] = [
  scenario(
    "what the baseline forbids",
    labelled({ enforce: "baseline" }),
    pod("plain"),
    pod("host", { hostNetwork: true, hostPID: true, hostIPC: true }),
    pod("port", { containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 80 }] }] }),
    pod("path", { volumes: [{ name: "v", hostPath: { path: "/" } }] }),
    withContext("privileged", { privileged: true }),
    withContext("capabilities", { capabilities: { add: ["SYS_ADMIN", "CHOWN", "NET_RAW"] } }),
    withContext("proc", { procMount: "Unmasked" }),
    withContext("seccomp", { seccompProfile: { type: "Unconfined" } }),
    withContext("selinux", { seLinuxOptions: { type: "spc_t", user: "u", role: "r" } }),
    withContext("windows", { windowsOptions: { hostProcess: true } }),
    withContext("armor", { appArmorProfile: { type: "Unconfined" } }),
    pod("sysctl", { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } }),
    pod("probe", {
      containers: [{ ...container, livenessProbe: { httpGet: { host: "h", port: 1 } } }],
    }),
    pod(
      "armor-annotation",
      {},
      { annotations: { "container.apparmor.security.beta.kubernetes.io/main": "unconfined" } },
    ),
    pod("many", {
      hostNetwork: true,
      containers: [
        { ...container, securityContext: { privileged: true } },
        { name: "second", image, securityContext: { privileged: true } },
      ],
      initContainers: [{ name: "first", image, securityContext: { privileged: true } }],
    }),
    post("pods", {
      metadata: { generateName: "host-" },
      spec: { containers: [container], hostPID: true },
    }),
  ),
  scenario(
    "what is restricted",
    labelled({ enforce: "restricted" }),
    pod("plain"),
    withContext("good", restricted),
    withContext("root", { ...restricted, runAsUser: 0 }),
    withContext("may-be-root", { ...restricted, runAsNonRoot: false }),
    withContext("escalates", { ...restricted, allowPrivilegeEscalation: true }),
    withContext("adds", { ...restricted, capabilities: { drop: ["ALL"], add: ["CHOWN"] } }),
    withContext("binds", {
      ...restricted,
      capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] },
    }),
    pod("volumes", {
      containers: [{ ...container, securityContext: restricted }],
      volumes: [
        { name: "a", nfs: { server: "s", path: "/" } },
        { name: "b", emptyDir: {} },
        { name: "c", hostPath: { path: "/" } },
        { name: "d", iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2001-04.com.example:s", lun: 0 } },
      ],
    }),
    pod("by-pod", {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        {
          ...container,
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
        { name: "second", image },
      ],
    }),
    pod("windows", {
      os: { name: "windows" },
      containers: [{ ...container, securityContext: { runAsNonRoot: true } }],
    }),
    pod("no-user", {
      hostUsers: false,
      containers: [{ ...container, securityContext: restricted }],
    }),
    patch("pods/good/ephemeralcontainers", [
      "strategic",
      { spec: { ephemeralContainers: [{ name: "debug", image }] } },
    ]),
    patch("pods/good", ["strategic", { spec: { containers: [{ name: "main", image: "other" }] } }]),
    patch("pods/good", ["merge", { metadata: { labels: { a: "b" } } }]),
  ),
  scenario(
    "older versions know less",
    labelled({ enforce: "restricted", "enforce-version": "v1.7" }),
    pod("plain"),
    withContext("seven", { allowPrivilegeEscalation: false, runAsNonRoot: true }),
    label({ "enforce-version": "v1.20" }),
    settle(),
    withContext("twenty", { runAsNonRoot: true, allowPrivilegeEscalation: false }),
    label({ "enforce-version": "v1.99" }),
    settle(),
    pod("future"),
  ),
  scenario(
    "who warns does not refuse",
    labelled({ warn: "restricted", audit: "baseline" }),
    pod("plain"),
    pod("host", { hostNetwork: true }),
    withContext("good", restricted),
    post("deployments", { metadata: { name: "a" }, spec: { selector, template } }),
    post("jobs", {
      metadata: { name: "a" },
      spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } },
    }),
    post("cronjobs", {
      metadata: { name: "a" },
      spec: {
        schedule: "* * * * *",
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } },
        },
      },
    }),
    post("replicationcontrollers", {
      metadata: { name: "a" },
      spec: { selector: { a: "b" }, template },
    }),
    post("replicationcontrollers", {
      metadata: { name: "b" },
      spec: { selector: { a: "b" }, replicas: 0 },
    }),
    post("podtemplates", { metadata: { name: "a" }, template }),
    patch("deployments/a", ["merge", { spec: { replicas: 2 } }]),
    patch("deployments/a/scale", ["merge", { spec: { replicas: 3 } }]),
  ),
  scenario(
    "workloads are warned of where pods are refused",
    labelled({ enforce: "restricted" }),
    post("deployments", { metadata: { name: "a" }, spec: { selector, template } }),
    label({ warn: "privileged" }),
    settle(),
    post("deployments", { metadata: { name: "b" }, spec: { selector, template } }),
    label({ warn: null, "warn-version": "v1.5", enforce: "baseline" }),
    settle(),
    post("daemonsets", {
      metadata: { name: "a" },
      spec: {
        selector,
        template: { ...template, spec: { containers: [container], hostNetwork: true } },
      },
    }),
  ),
  scenario(
    "labels that mean nothing",
    post("serviceaccounts", { metadata: { name: "default" }, automountServiceAccountToken: false }),
    label({ enforce: "strict" }),
    label({ "enforce-version": "1.2", audit: "no", "warn-version": "v2.0" }),
    post("/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "${ns}-b", labels: { [`${PREFIX}enforce`]: "x" } },
    }),
    label({ enforce: "baseline", "enforce-version": "latest" }),
  ),
  scenario(
    "a stricter level tells of pods that are there",
    labelled({ enforce: "privileged" }),
    pod("a", { hostNetwork: true }),
    pod("b", { hostNetwork: true }),
    pod("c", { containers: [{ ...container, securityContext: { privileged: true } }] }),
    pod("d"),
    pod("e", { hostPID: true }, { labels: { a: "b" } }),
    settle(),
    label({ enforce: "baseline" }),
    label({ enforce: "restricted" }),
    label({ enforce: "baseline" }),
    label({ "enforce-version": "v1.8" }),
  ),
];
