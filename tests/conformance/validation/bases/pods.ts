import type { Pod } from "@homeostat/object-model/core-v1";
import type { ProbedKind, Variants } from "../probe.ts";
import { podStates } from "./pod-states.ts";
import { volumes } from "./pod-volumes.ts";

const image = "registry.example/app:1";

const variants = {
  plain: {
    metadata: { labels: { app: "web" }, annotations: { note: "x" } },
    spec: { containers: [{ name: "app", image }] },
  },
  containers: {
    spec: {
      volumes: [
        { name: "data", emptyDir: {} },
        { name: "device", persistentVolumeClaim: { claimName: "disk" } },
      ],
      containers: [
        {
          name: "app",
          image,
          command: ["sh"],
          args: ["-c", "true"],
          workingDir: "/srv",
          ports: [
            {
              name: "http",
              containerPort: 8080,
              hostPort: 18080,
              hostIP: "10.1.2.3",
              protocol: "TCP",
            },
            { name: "dns", containerPort: 53, protocol: "UDP" },
          ],
          envFrom: [
            { prefix: "A_", configMapRef: { name: "settings", optional: true } },
            { secretRef: { name: "passwords", optional: false } },
          ],
          env: [
            { name: "PLAIN", value: "x" },
            {
              name: "FIELD",
              valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } },
            },
            {
              name: "AMOUNT",
              valueFrom: {
                resourceFieldRef: { containerName: "app", resource: "limits.cpu", divisor: "1m" },
              },
            },
            {
              name: "MAP",
              valueFrom: { configMapKeyRef: { name: "settings", key: "a", optional: true } },
            },
            {
              name: "KEY",
              valueFrom: { secretKeyRef: { name: "passwords", key: "b", optional: true } },
            },
          ],
          resources: {
            limits: { cpu: "2", memory: "1Gi", "ephemeral-storage": "2Gi" },
            requests: { cpu: "500m", memory: "512Mi", "ephemeral-storage": "1Gi" },
          },
          resizePolicy: [
            { resourceName: "cpu", restartPolicy: "NotRequired" },
            { resourceName: "memory", restartPolicy: "RestartContainer" },
          ],
          volumeMounts: [
            {
              name: "data",
              mountPath: "/data",
              subPath: "a/b",
              readOnly: true,
              recursiveReadOnly: "Disabled",
              mountPropagation: "None",
            },
            { name: "data", mountPath: "/expanded", subPathExpr: "$(PLAIN)" },
          ],
          volumeDevices: [{ name: "device", devicePath: "/dev/xvda" }],
          livenessProbe: {
            httpGet: {
              path: "/live",
              port: "http",
              host: "example.com",
              scheme: "HTTPS",
              httpHeaders: [{ name: "X-Probe", value: "1" }],
            },
            initialDelaySeconds: 1,
            timeoutSeconds: 2,
            periodSeconds: 3,
            successThreshold: 1,
            failureThreshold: 4,
            terminationGracePeriodSeconds: 5,
          },
          readinessProbe: { tcpSocket: { port: 8080, host: "example.com" }, successThreshold: 2 },
          startupProbe: { grpc: { port: 9000, service: "health" } },
          lifecycle: {
            postStart: { exec: { command: ["true"] } },
            preStop: { httpGet: { path: "/stop", port: 8080 } },
          },
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
          imagePullPolicy: "Always",
          securityContext: {
            capabilities: { add: ["NET_ADMIN"], drop: ["ALL"] },
            privileged: false,
            seLinuxOptions: { user: "u", role: "r", type: "t", level: "s0" },
            runAsUser: 1000,
            runAsGroup: 1000,
            runAsNonRoot: true,
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            procMount: "Default",
            seccompProfile: { type: "Localhost", localhostProfile: "profiles/a.json" },
            appArmorProfile: { type: "Localhost", localhostProfile: "mine" },
          },
          stdin: true,
          stdinOnce: true,
          tty: true,
        },
        {
          name: "other",
          image,
          livenessProbe: { exec: { command: ["true"] } },
          lifecycle: { preStop: { sleep: { seconds: 5 } }, postStart: { httpGet: { port: 80 } } },
        },
      ],
    },
  },
  scheduling: {
    spec: {
      containers: [{ name: "app", image }],
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 20,
      activeDeadlineSeconds: 600,
      dnsPolicy: "None",
      dnsConfig: {
        nameservers: ["10.2.0.10", "fd00::10"],
        searches: ["a.example", "b.example"],
        options: [{ name: "ndots", value: "5" }, { name: "edns0" }],
      },
      nodeSelector: { disk: "ssd" },
      serviceAccountName: "runner",
      automountServiceAccountToken: false,
      nodeName: "node-1",
      hostname: "web-0",
      subdomain: "web",
      setHostnameAsFQDN: false,
      shareProcessNamespace: true,
      enableServiceLinks: false,
      preemptionPolicy: "PreemptLowerPriority",
      priorityClassName: "high",
      priority: 10,
      runtimeClassName: "sandbox",
      schedulerName: "mine",
      overhead: { cpu: "10m", memory: "10Mi" },
      os: { name: "linux" },
      hostUsers: true,
      imagePullSecrets: [{ name: "registry" }],
      hostAliases: [{ ip: "10.9.8.7", hostnames: ["a.example", "b"] }],
      tolerations: [
        { key: "a", operator: "Equal", value: "b", effect: "NoExecute", tolerationSeconds: 30 },
        { operator: "Exists" },
        { key: "c", operator: "Exists", effect: "NoSchedule" },
      ],
      readinessGates: [{ conditionType: "example.com/ready" }],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "zone",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: {
            matchLabels: { app: "web" },
            matchExpressions: [{ key: "tier", operator: "In", values: ["a", "b"] }],
          },
          minDomains: 2,
          nodeAffinityPolicy: "Honor",
          nodeTaintsPolicy: "Ignore",
          matchLabelKeys: ["version"],
        },
        { maxSkew: 2, topologyKey: "host", whenUnsatisfiable: "ScheduleAnyway" },
      ],
      securityContext: {
        seLinuxOptions: { level: "s0:c1" },
        runAsUser: 1000,
        runAsGroup: 1000,
        runAsNonRoot: true,
        supplementalGroups: [1, 2],
        supplementalGroupsPolicy: "Merge",
        fsGroup: 2000,
        fsGroupChangePolicy: "OnRootMismatch",
        sysctls: [{ name: "net.ipv4.ip_local_port_range", value: "1024 65535" }],
        seccompProfile: { type: "RuntimeDefault" },
        appArmorProfile: { type: "RuntimeDefault" },
        seLinuxChangePolicy: "Recursive",
      },
    },
    status: {
      observedGeneration: 1,
      phase: "Running",
      conditions: [
        {
          type: "Ready",
          status: "True",
          observedGeneration: 1,
          reason: "Because",
          message: "x",
          lastTransitionTime: "2020-01-01T00:00:00Z",
          lastProbeTime: "2020-01-01T00:00:00Z",
        },
      ],
      message: "x",
      reason: "y",

      hostIP: "10.1.1.1",
      hostIPs: [{ ip: "10.1.1.1" }],
      podIP: "10.1.2.3",
      podIPs: [{ ip: "10.1.2.3" }, { ip: "fd00::5" }],
      startTime: "2020-01-01T00:00:00Z",
      qosClass: "BestEffort",
      containerStatuses: [
        {
          name: "app",
          image,
          imageID: "sha256:abc",
          containerID: "containerd://1",
          ready: true,
          started: true,
          restartCount: 1,
          state: { running: { startedAt: "2020-01-01T00:00:00Z" } },
          lastState: {
            terminated: {
              exitCode: 1,
              signal: 9,
              reason: "Error",
              message: "x",
              containerID: "containerd://0",
              startedAt: "2020-01-01T00:00:00Z",
              finishedAt: "2020-01-01T00:00:00Z",
            },
          },
          allocatedResources: { cpu: "1" },
          resources: { limits: { cpu: "1" }, requests: { cpu: "1" } },
          volumeMounts: [{ name: "data", mountPath: "/data", readOnly: true }],
        },
      ],
    },
  },
  affinity: {
    spec: {
      containers: [{ name: "app", image }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: "zone", operator: "In", values: ["a"] },
                  { key: "size", operator: "Gt", values: ["3"] },
                  { key: "ok", operator: "Exists" },
                ],
                matchFields: [{ key: "metadata.name", operator: "In", values: ["node-1"] }],
              },
            ],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 10,
              preference: { matchExpressions: [{ key: "x", operator: "NotIn", values: ["a"] }] },
            },
          ],
        },
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              labelSelector: {
                matchLabels: { app: "web" },
                matchExpressions: [{ key: "tier", operator: "Exists" }],
              },
              namespaces: ["other"],
              topologyKey: "zone",
              namespaceSelector: { matchLabels: { team: "a" } },
              matchLabelKeys: ["version"],
              mismatchLabelKeys: ["tenant"],
            },
          ],
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 5,
              podAffinityTerm: { topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } } },
            },
          ],
        },
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: "kubernetes.io/hostname",
              labelSelector: { matchLabels: { app: "web" } },
            },
          ],
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 100,
              podAffinityTerm: { topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } } },
            },
          ],
        },
      },
    },
  },
  volumes: {
    spec: { serviceAccountName: "runner", containers: [{ name: "app", image }], volumes },
  },
  init: {
    spec: {
      initContainers: [
        {
          name: "sidecar",
          image,
          restartPolicy: "Always",
          readinessProbe: { exec: { command: ["true"] } },
        },
        { name: "setup", image, command: ["true"], resources: { requests: { cpu: "1" } } },
      ],
      containers: [{ name: "app", image, ports: [{ containerPort: 80 }] }],
      hostNetwork: true,
      hostPID: true,
      hostIPC: true,
      dnsPolicy: "ClusterFirstWithHostNet",
      resources: { limits: { cpu: "4", memory: "4Gi" }, requests: { cpu: "2", memory: "2Gi" } },
    },
  },
  gated: {
    spec: {
      containers: [
        {
          name: "app",
          image,
          resources: {
            limits: { "hugepages-2Mi": "4Mi", memory: "1Gi", "example.com/gpu": "1" },
            requests: { "hugepages-2Mi": "4Mi", memory: "1Gi", "example.com/gpu": "1" },
            claims: [{ name: "gpu", request: "one" }],
          },
        },
      ],
      schedulingGates: [{ name: "example.com/wait" }],
      resourceClaims: [
        { name: "gpu", resourceClaimName: "claim" },
        { name: "tpu", resourceClaimTemplateName: "template" },
      ],
    },
  },
  windows: {
    spec: {
      os: { name: "windows" },
      containers: [
        {
          name: "app",
          image,
          securityContext: {
            windowsOptions: { runAsUserName: "user", gmsaCredentialSpecName: "spec" },
          },
        },
      ],
      securityContext: {
        windowsOptions: {
          gmsaCredentialSpecName: "spec",
          gmsaCredentialSpec: "{}",
          runAsUserName: "domain\\user",
          hostProcess: false,
        },
      },
    },
  },
  ...podStates,
} satisfies Variants<Pod>;

export const pods: ProbedKind = {
  name: "pods",
  group: "",
  version: "v1",
  plural: "pods",
  variants,
  withStatus: ["finished"],
};
