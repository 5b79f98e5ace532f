import type { ApiAccess } from "../kubelet/api-client.ts";

/** A kubeconfig with everything in it. JSON is YAML. */
export function kubeconfigText(access: ApiAccess): string {
  const data = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : Buffer.from(text).toString("base64");
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "cluster",
        cluster: { server: access.url, "certificate-authority-data": data(access.authority) },
      },
    ],
    users: [
      {
        name: "user",
        user: {
          "client-certificate-data": data(access.certificate),
          "client-key-data": data(access.key),
          token: access.token,
        },
      },
    ],
    contexts: [{ name: "context", context: { cluster: "cluster", user: "user" } }],
    "current-context": "context",
  });
}
