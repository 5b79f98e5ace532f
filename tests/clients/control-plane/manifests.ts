/** The objects of the stories, as small as they can be. */

const container = (image: string): object => ({
  name: "main",
  image,
  resources: { requests: { cpu: "10m", memory: "8Mi" } },
});

export function podTemplate(app: string, more: object = {}): object {
  return {
    metadata: { labels: { app } },
    spec: { terminationGracePeriodSeconds: 1, containers: [container("fake:1")], ...more },
  };
}

export function deployment(name: string, replicas: number): object {
  return {
    metadata: { name },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(name) },
  };
}

/** On the nodes of the fake kubelet; other stories make nodes that are none. */
export function daemonSet(name: string): object {
  return {
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: podTemplate(name, { nodeSelector: { "kubernetes.io/arch": "amd64" } }),
    },
  };
}

export function statefulSet(name: string, replicas: number, storageClassName?: string): object {
  const template = podTemplate(name);
  const claim = {
    metadata: { name: "data" },
    spec: {
      storageClassName,
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Mi" } },
    },
  };
  return {
    metadata: { name },
    spec: {
      replicas,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template,
      ...(storageClassName !== undefined && {
        volumeClaimTemplates: [claim],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" },
      }),
    },
  };
}

export function volume(name: string, storageClassName: string): object {
  return {
    metadata: { name },
    spec: {
      storageClassName,
      capacity: { storage: "1Mi" },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      hostPath: { path: `/fake/${name}` },
    },
  };
}

export function service(name: string, more: object = {}): object {
  return {
    metadata: { name },
    spec: {
      selector: { app: name },
      ports: [{ name: "web", port: 80, targetPort: 8080 }],
      ...more,
    },
  };
}

export function job(name: string, more: object = {}, annotations: object = {}): object {
  return {
    metadata: { name },
    spec: {
      ...more,
      template: {
        metadata: { annotations },
        spec: { restartPolicy: "Never", containers: [container("fake:job")] },
      },
    },
  };
}

export function widgetDefinition(): object {
  return {
    metadata: { name: "widgets.control.example.com" },
    spec: {
      group: "control.example.com",
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
              },
            },
          },
        },
      ],
    },
  };
}
