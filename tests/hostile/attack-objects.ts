import type { ServerUnderAttack } from "./server-under-attack.ts";

interface DefinedKind {
  readonly plural: string;
  readonly kind: string;
  readonly scope: "Cluster" | "Namespaced";
  /** Of `spec`. Default: anything. */
  readonly spec?: object;
  readonly conversion?: object;
  readonly versions?: readonly string[];
}

/** Defines custom kinds and waits until they are served. */
export async function defineKinds(
  server: ServerUnderAttack,
  group: string,
  kinds: readonly DefinedKind[],
): Promise<void> {
  for (const each of kinds) {
    const { plural } = each;
    await server.expect(201, {
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      body: definitionOf(group, each),
    });
    const path = `/apis/${group}/v1/${plural}`;
    while ((await server.send({ path })).status === 404);
  }
}

export function definitionOf(
  group: string,
  { plural, kind, scope, conversion, versions = ["v1"], spec }: DefinedKind,
): object {
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      ...(conversion && { conversion }),
      versions: versions.map((name, at) => ({
        name,
        served: true,
        storage: at === 0,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: spec ?? anything, status: anything },
          },
        },
      })),
    },
  };
}

interface Grant {
  /** Default: everywhere. */
  readonly namespace?: string;
  readonly rules: readonly object[];
}

/** Gives a user these rights; the name of role and binding is that of the user. */
export async function grant(
  server: ServerUnderAttack,
  user: string,
  { namespace, rules }: Grant,
): Promise<void> {
  const place = namespace === undefined ? "" : `/namespaces/${namespace}`;
  const prefix = namespace === undefined ? "cluster" : "";
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  const name = user.replaceAll(":", "-");
  const path = `/apis/rbac.authorization.k8s.io/v1${place}/${prefix}role`;
  const metadata = { name };
  await server.expect(201, { method: "POST", path: `${path}s`, body: { metadata, rules } });
  await server.expect(201, {
    method: "POST",
    path: `${path}bindings`,
    body: {
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
    },
  });
}
