/**
 * The texts that the JSON benchmark reads and writes: ordinary objects as a kube-apiserver answers
 * them (compact, managedFields included), and hard ones that leave the codec's fast path.
 */

const digest = (seed: number): string =>
  Array.from({ length: 8 }, (_, i) =>
    ((seed * 2654435761 + i * 40503) >>> 0).toString(16).padStart(8, "0"),
  ).join("");

const uid = (seed: number): string => {
  const hex = digest(seed);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** A ConfigMap of about 1.5 KB: a properties file and two labels. */
export function configMap(seed: number): unknown {
  const properties = Array.from(
    { length: 16 },
    (_, i) => `service.${i}.endpoint=http://backend-${i}.default.svc:8080/v1/${seed}`,
  ).join("\n");
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: `settings-${seed}`,
      namespace: "default",
      uid: uid(seed),
      resourceVersion: String(100_000 + seed),
      creationTimestamp: "2026-03-01T10:00:00Z",
      labels: { app: "settings", "app.kubernetes.io/managed-by": "homeostat" },
      managedFields: [
        {
          manager: "kubectl",
          operation: "Update",
          apiVersion: "v1",
          time: "2026-03-01T10:00:00Z",
          fieldsType: "FieldsV1",
          fieldsV1: {
            "f:data": { ".": {}, "f:application.properties": {} },
            "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
          },
        },
      ],
    },
    data: { "application.properties": properties },
  };
}

/** A running Pod; 6 environment variables make about 3 KB, 20 with longer values about 4.5 KB. */
export function pod(seed: number, environment: number): unknown {
  const name = `web-6f7d9c8b5d-${seed.toString(36)}`;
  const condition = (type: string): unknown => ({
    type,
    status: "True",
    observedGeneration: 1,
    lastProbeTime: null,
    lastTransitionTime: "2026-03-01T10:00:04Z",
  });
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      generateName: "web-6f7d9c8b5d-",
      namespace: "default",
      uid: uid(seed),
      resourceVersion: String(200_000 + seed),
      generation: 1,
      creationTimestamp: "2026-03-01T10:00:00Z",
      labels: { app: "web", "pod-template-hash": "6f7d9c8b5d", tier: "frontend" },
      annotations: { "prometheus.io/scrape": "true", "prometheus.io/port": "9102" },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: "web-6f7d9c8b5d",
          uid: uid(7),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [
        {
          manager: "kube-controller-manager",
          operation: "Update",
          apiVersion: "v1",
          time: "2026-03-01T10:00:00Z",
          fieldsType: "FieldsV1",
          fieldsV1: {
            "f:metadata": {
              "f:generateName": {},
              "f:labels": { ".": {}, "f:app": {}, "f:tier": {} },
            },
            "f:spec": {
              "f:containers": { 'k:{"name":"web"}': { ".": {}, "f:image": {}, "f:name": {} } },
            },
          },
        },
      ],
    },
    spec: {
      containers: [
        {
          name: "web",
          image: "registry.example.com/team/web:1.27.3",
          ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
          env: Array.from({ length: environment }, (_, i) => ({
            name: `SERVICE_${i}_ENDPOINT`,
            value: `http://backend-${i}.default.svc.cluster.local:8080/`,
          })),
          resources: {
            limits: { cpu: "1", memory: "512Mi" },
            requests: { cpu: "250m", memory: "256Mi" },
          },
          readinessProbe: {
            httpGet: { path: "/healthz", port: "http", scheme: "HTTP" },
            initialDelaySeconds: 5,
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
          imagePullPolicy: "IfNotPresent",
        },
      ],
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      serviceAccountName: "default",
      nodeName: `node-${seed % 20}`,
      securityContext: {},
      schedulerName: "default-scheduler",
      priority: 0,
      enableServiceLinks: true,
    },
    status: {
      phase: "Running",
      observedGeneration: 1,
      conditions: [
        "PodReadyToStartContainers",
        "Initialized",
        "Ready",
        "ContainersReady",
        "PodScheduled",
      ].map(condition),
      hostIP: "10.0.0.12",
      podIP: `10.244.${seed % 250}.17`,
      startTime: "2026-03-01T10:00:00Z",
      containerStatuses: [
        {
          name: "web",
          state: { running: { startedAt: "2026-03-01T10:00:03Z" } },
          lastState: {},
          ready: true,
          restartCount: 0,
          image: "registry.example.com/team/web:1.27.3",
          imageID: `registry.example.com/team/web@sha256:${digest(seed)}`,
          containerID: `containerd://${digest(seed + 1)}`,
          started: true,
        },
      ],
      qosClass: "Burstable",
    },
  };
}
