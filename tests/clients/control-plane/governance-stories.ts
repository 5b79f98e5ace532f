import { execFileSync } from "node:child_process";
import { ApiRefusal } from "../../kubelet/api-client.ts";
import * as manifests from "./manifests.ts";
import { at, type Field, has, type StoryPlace, textAt } from "./story-place.ts";

/** Usage is counted, what is over is refused, and room comes back. */
export async function quotaStory(place: StoryPlace): Promise<void> {
  await place.create("resourcequotas", {
    metadata: { name: "all" },
    spec: {
      hard: {
        pods: "3",
        "requests.cpu": "100m",
        "count/deployments.apps": "2",
        "count/widgets.control.example.com": "1",
        services: "1",
      },
    },
  });
  const isUsed =
    (what: string, used: string) =>
    ({ status }: Record<string, Field>): boolean =>
      at(status, "used", what) === used;
  await place.until("resourcequotas/all", isUsed("pods", "0"));
  await place.create("deployments", manifests.deployment("wide", 5));
  await place.until("resourcequotas/all", isUsed("pods", "3"));
  await place.until("deployments/wide", ({ status }) => at(status, "readyReplicas") === 3);
  await place.until("events?fieldSelector=reason%3DFailedCreate", ({ items }) =>
    JSON.stringify(items).includes("exceeded quota: all"),
  );
  await place.create("services", manifests.service("one"));
  await refused(403, place.create("services", manifests.service("two")));
  await place.until("resourcequotas/all", isUsed("services", "1"));
  await place.patch("resourcequotas/all", { spec: { hard: { pods: "5" } } });
  await place.until("deployments/wide", ({ status }) => at(status, "readyReplicas") === 5);
  await place.delete("deployments/wide", "Foreground");
  await place.until("resourcequotas/all", isUsed("pods", "0"));
  await place.until("resourcequotas/all", isUsed("count/deployments.apps", "0"));
}

async function refused(status: number, asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === status) return;
    throw error;
  }
  throw new Error(`it should have been refused with ${status}`);
}

/** Tokens for accounts: in secrets as of old, asked for, and gone with the account. */
export async function accountStory(place: StoryPlace): Promise<void> {
  await place.create("serviceaccounts", { metadata: { name: "robot" } });
  const annotations = { "kubernetes.io/service-account.name": "robot" };
  await place.create("secrets", {
    metadata: { name: "robot-token", annotations },
    type: "kubernetes.io/service-account-token",
  });
  const secret = await place.until("secrets/robot-token", ({ data }) => has(data, "token"));
  const legacy = Buffer.from(textAt(secret, "data", "token"), "base64").toString();
  const asked = await place.create("serviceaccounts/robot/token", {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: 600 },
  });
  for (const token of [legacy, textAt(asked, "status", "token")]) {
    const review = await place.create("/apis/authentication.k8s.io/v1/tokenreviews", {
      spec: { token },
    });
    const user = textAt(review, "status", "user", "username");
    const expected = `system:serviceaccount:${place.namespace}:robot`;
    if (user !== expected)
      throw new Error(
        `the token is of ${user}, not ${expected}: ${JSON.stringify(review["status"])}`,
      );
  }
  await place.delete("serviceaccounts/robot");
  await place.untilGone("secrets/robot-token");
  await place.delete("serviceaccounts/default");
  await place.until(
    "serviceaccounts/default",
    ({ metadata }) => at(metadata, "deletionTimestamp") === undefined,
  );
}

/** An approved request is signed; what nobody wants any more is cleaned up. */
export async function signingStory(place: StoryPlace): Promise<void> {
  const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -keyout /dev/null";
  const command = `req -new ${newKey} -subj /O=robots/CN=robot`;
  const request = execFileSync("openssl", command.split(" "), { stdio: "pipe" });
  const path = `/apis/certificates.k8s.io/v1/certificatesigningrequests`;
  const name = place.namespace;
  const made = await place.create(path, {
    metadata: { name },
    spec: {
      request: request.toString("base64"),
      signerName: "kubernetes.io/kube-apiserver-client",
      expirationSeconds: 3600,
      usages: ["client auth"],
    },
  });
  const condition = { type: "Approved", status: "True", reason: "Story", message: "approved" };
  await place.api.ask("PUT", `${path}/${name}/approval`, {
    body: { ...made, status: { conditions: [condition] } },
  });
  await place.until(`${path}/${name}`, ({ status }) => has(status, "certificate"));
  await place.delete(`${path}/${name}`);
}

/** A role that gathers others follows them. */
export async function aggregationStory(place: StoryPlace): Promise<void> {
  const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  const label = { [`control.example.com/${place.namespace}`]: "true" };
  await place.create(roles, {
    metadata: { name: `${place.namespace}-all` },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: label }] },
    rules: [],
  });
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
  await place.create(roles, {
    metadata: { name: `${place.namespace}-part`, labels: label },
    rules,
  });
  const hasRules =
    (count: number) =>
    (seen: Record<string, Field>): boolean =>
      ((seen["rules"] as Field[] | null) ?? []).length === count;
  await place.until(`${roles}/${place.namespace}-all`, hasRules(1));
  await place.delete(`${roles}/${place.namespace}-part`);
  await place.until(`${roles}/${place.namespace}-all`, hasRules(0));
  await place.delete(`${roles}/${place.namespace}-all`);
}

/** Who does not tolerate a node's taint leaves it, and may come back. */
export async function taintStory(place: StoryPlace): Promise<void> {
  const node = "/api/v1/nodes/node-2";
  await place.create("deployments", manifests.deployment("mover", 4));
  await place.until("deployments/mover", ({ status }) => at(status, "readyReplicas") === 4);
  const taint = { key: "control.example.com/away", effect: "NoExecute" };
  await place.patch(node, { spec: { unschedulable: true, taints: [taint] } });
  try {
    await place.untilCount("pods", 0, ({ spec }) => at(spec, "nodeName") === "node-2");
    await place.until("deployments/mover", ({ status }) => at(status, "readyReplicas") === 4);
  } finally {
    await place.patch(node, { spec: { unschedulable: null, taints: null } });
  }
}
