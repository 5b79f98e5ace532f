import type { Pod } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { type AskedPlane, openPlane, PODS, pod } from "./fixtures/asked-plane.ts";

const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
const MIRROR = { annotations: { "kubernetes.io/config.mirror": "x" } };

async function withAccount(account: object = {}): Promise<AskedPlane> {
  const plane = await openPlane();
  const made = await plane.ask("POST", ACCOUNTS, { metadata: { name: "default" }, ...account });
  expect(made.code).toBeUndefined();
  return plane;
}

test("without any default account pods are taken as they are", async () => {
  await using plane = await openPlane();
  const { spec } = (await plane.ask("POST", PODS, pod("a"))) as Pod;
  expect(spec?.serviceAccountName).toBeUndefined();
  expect(spec?.volumes).toBeUndefined();
});

test("once there are default accounts, a namespace without one has no pods", async () => {
  await using plane = await withAccount();
  await plane.ask("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
  expect(await plane.ask("POST", "/api/v1/namespaces/n/pods", pod("a"))).toMatchObject({
    code: 403,
    message:
      'pods "a" is forbidden: error looking up service account n/default: serviceaccount "default" not found',
  });
});

test("a pod gets the account and a volume with its token in every container", async () => {
  await using plane = await withAccount();
  const given = pod("a", { initContainers: [{ name: "i", image: "i" }] });
  const { spec } = (await plane.ask("POST", PODS, given)) as Pod;
  expect(spec).toMatchObject({ serviceAccountName: "default", serviceAccount: "default" });
  const [volume] = spec!.volumes!;
  expect(volume!.name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
  const mount = {
    name: volume!.name,
    readOnly: true,
    mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
  };
  expect(spec!.containers[0]!.volumeMounts).toEqual([mount]);
  expect(spec!.initContainers![0]!.volumeMounts).toEqual([mount]);
});

test.for([
  ["the pod", {}, { automountServiceAccountToken: false }],
  ["the account", { automountServiceAccountToken: false }, {}],
] as const)("no token is mounted where %s does not want it", async ([, account, spec]) => {
  await using plane = await withAccount(account);
  const made = (await plane.ask("POST", PODS, pod("a", spec))) as Pod;
  expect(made.spec).toMatchObject({ serviceAccountName: "default" });
  expect(made.spec?.volumes).toBeUndefined();
});

test("a mirror pod is left alone, and may not have what its kubelet does not know", async () => {
  await using plane = await withAccount();
  const node = { nodeName: "n" };
  const { spec } = (await plane.ask("POST", PODS, pod("a", node, MIRROR))) as Pod;
  expect(spec?.serviceAccountName).toBeUndefined();
  const named = pod("b", { ...node, serviceAccountName: "default" }, MIRROR);
  expect(await plane.ask("POST", PODS, named)).toMatchObject({
    code: 403,
    message: 'pods "b" is forbidden: a mirror pod may not reference service accounts',
  });
});

test("an account may limit the secrets that its pods name", async () => {
  const annotations = { "kubernetes.io/enforce-mountable-secrets": "true" };
  await using plane = await withAccount({
    metadata: { name: "default", annotations },
    secrets: [{ name: "known" }],
  });
  const volume = (secretName: string): object => ({
    volumes: [{ name: "v", secret: { secretName } }],
  });
  expect((await plane.ask("POST", PODS, pod("a", volume("known")))).code).toBeUndefined();
  expect(await plane.ask("POST", PODS, pod("b", volume("other")))).toMatchObject({
    code: 403,
    message:
      'pods "b" is forbidden: volume with secret.secretName="other" is not allowed because service account default does not reference that secret',
  });
  const debug = { name: "d", image: "i", envFrom: [{ secretRef: { name: "other" } }] };
  const debugged = { spec: { ephemeralContainers: [debug] } };
  expect(await plane.ask("PATCH", `${PODS}/a/ephemeralcontainers`, debugged)).toMatchObject({
    code: 500,
  });
});
