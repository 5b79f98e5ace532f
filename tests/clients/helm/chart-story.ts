import { fileURLToPath } from "node:url";
import type { ApiClient } from "../../kubelet/api-client.ts";
import { at, type Field } from "../control-plane/story-place.ts";
import type { HelmSession } from "./helm-session.ts";

/** The names of their assets. */
export type HelmMajor = "helm" | "helm4";

const chart = fileURLToPath(new URL("fixtures/shop", import.meta.url));

/** Answers what is not as it should be. */
export async function tellOfChart(
  major: HelmMajor,
  helm: HelmSession,
  api: ApiClient,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const namespace = `shop-${major}`;
  const place = ["--namespace", namespace, "--timeout", "90s"];
  const rollBack = major === "helm" ? "--atomic" : "--rollback-on-failure";

  const expectEnd = async (code: number, ...args: readonly string[]): Promise<string> => {
    const end = await helm.run(...args);
    if (end.code !== code)
      failures.push(`${args.join(" ")} ended with ${end.code}:\n${end.output}`);
    return end.output;
  };
  const read = async (path: string): Promise<Field> => {
    const { status, text } = await api.send("GET", path);
    return status === 200 ? (JSON.parse(text) as Field) : undefined;
  };
  const expectField = async (path: string, field: string, wanted: Field): Promise<void> => {
    const object = await read(path);
    const got = at(object, ...field.split("."));
    if (JSON.stringify(got) !== JSON.stringify(wanted)) {
      failures.push(`${path} ${field} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
    }
  };
  const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments/shop`;
  const core = `/api/v1/namespaces/${namespace}`;
  const gadget = `/apis/helm.example.com/v1/namespaces/${namespace}/gadgets/shop`;
  const image = "spec.template.spec.containers.0.image";

  await expectEnd(0, "install", "shop", chart, ...place, "--create-namespace", "--wait");
  await expectField(deployment, "status.readyReplicas", 2);
  await expectField(`${core}/configmaps/shop`, "data.minor", "36");
  await expectField(`${core}/configmaps/shop`, "data.systemNamespace", "Active");
  await expectField(gadget, "spec.size", 1);
  await expectField(
    `/apis/batch/v1/namespaces/${namespace}/jobs/shop-pre-install`,
    "status.succeeded",
    1,
  );
  await expectField(
    `/apis/batch/v1/namespaces/${namespace}/jobs/shop-post-install`,
    "status.succeeded",
    1,
  );
  await expectEnd(1, "install", "shop", chart, ...place);
  await expectEnd(0, "test", "shop", ...place);
  await expectEnd(0, "list", "--namespace", namespace, "--output", "json");
  await expectEnd(0, "get", "manifest", "shop", "--namespace", namespace);
  await expectEnd(
    0,
    "upgrade",
    "shop",
    chart,
    ...place,
    "--dry-run=server",
    "--set",
    "image=fake:9",
    "--hide-secret",
  );

  // Somebody else changes what Helm did not say anything about.
  const merge = "application/merge-patch+json";
  const annotated = { metadata: { annotations: { "example.com/foreign": "kept" } } };
  await api.send("PATCH", deployment, { body: annotated, type: merge });
  const changes = "image=fake:2,extra=false,replicas=3,gadgetSize=2";
  await expectEnd(0, "upgrade", "shop", chart, ...place, "--wait", "--set", changes);
  await expectField(deployment, image, "fake:2");
  await expectField(deployment, "status.readyReplicas", 3);
  const foreign = at(await read(deployment), "metadata", "annotations", "example.com/foreign");
  if (foreign !== "kept") failures.push("an annotation of somebody else was lost");
  await expectField(gadget, "spec.size", 2);
  await expectField(`${core}/secrets/shop-extra`, "kind", undefined);
  await expectField(`${core}/configmaps/shop`, "data.hasGadgets", "true");

  // What the server does not take, told by it or by its schema.
  await expectEnd(1, "upgrade", "shop", chart, ...place, "--set", "replicas=many");
  await expectEnd(1, "upgrade", "shop", chart, ...place, "--set", "gadgetSize=11");
  await expectEnd(1, "upgrade", "shop", chart, ...place, rollBack, "--set", "image=");
  await expectEnd(0, "history", "shop", "--namespace", namespace, "--output", "json");

  await expectEnd(0, "rollback", "shop", "1", ...place, "--wait");
  await expectField(deployment, image, "fake:1");
  await expectField(deployment, "spec.replicas", 2);
  await expectField(gadget, "spec.size", 1);
  await expectField(`${core}/secrets/shop-extra`, "kind", "Secret");
  await expectEnd(0, "status", "shop", "--namespace", namespace);
  await expectEnd(0, "uninstall", "shop", ...place, "--wait");
  await expectField(deployment, "kind", undefined);
  await expectField(gadget, "kind", undefined);
  const definition =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.helm.example.com";
  await expectField(definition, "kind", "CustomResourceDefinition");
  await expectEnd(1, "status", "shop", "--namespace", namespace);
  return failures;
}
