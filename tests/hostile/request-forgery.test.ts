/** The server calls webhooks, nodes and pods: it goes where it was sent and checked, follows nobody, and tells nobody what it saw. */
import { expect, test } from "vitest";
import { definitionOf } from "./attack-objects.ts";
import { type ListeningServer, listenAsAttacker } from "./listening-server.ts";
import { attackedServer, pause } from "./server-under-attack.ts";

const server = attackedServer();
const WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const MAPS = "/api/v1/namespaces/default/configmaps";
const INTERNAL = "internal-page-of-somebody-else";

/** Its time is what only a webhook that means harm uses up. */
function configuration(clientConfig: object, timeoutSeconds = 30): object {
  return {
    metadata: { name: "attack" },
    webhooks: [
      {
        name: "attack.example.com",
        clientConfig,
        timeoutSeconds,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        failurePolicy: "Fail",
        rules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: ["CREATE"],
            resources: ["configmaps"],
          },
        ],
      },
    ],
  };
}

/** Everything that is created goes through this webhook while `attack` runs. */
async function withWebhook(
  clientConfig: object,
  attack: () => Promise<void>,
  timeoutSeconds?: number,
): Promise<void> {
  const body = configuration(clientConfig, timeoutSeconds);
  await server().expect(201, { method: "POST", path: WEBHOOKS, body });
  try {
    await server().during(attack);
  } finally {
    await server().expect(200, { method: "DELETE", path: `${WEBHOOKS}/attack` });
  }
}

let made = 0;
const create = () =>
  server().send({ method: "POST", path: MAPS, body: { metadata: { name: `forged-${made++}` } } });

const urlOf = ({ port, caBundle }: ListeningServer, path = "/"): object => ({
  url: `https://127.0.0.1:${port}${path}`,
  caBundle,
});

test.each([301, 302, 303, 307, 308])(
  "a webhook that answers %i is not followed",
  async (status) => {
    await using inner = await listenAsAttacker((_, response) => void response.end(INTERNAL));
    await using outer = await listenAsAttacker((_, response) => {
      const location = `https://127.0.0.1:${inner.port}/latest/meta-data`;
      response.writeHead(status, { location }).end();
    });
    await withWebhook(urlOf(outer), async () => {
      const { status: refused, text } = await create();
      expect(refused).toBe(500);
      expect(text).not.toContain(INTERNAL);
    });
    expect(outer.asked).not.toEqual([]);
    expect(inner.asked).toEqual([]);
  },
);

test("what a webhook answers instead of a review is in no log, and not kept", async () => {
  for (const body of [
    INTERNAL,
    `{"secret":"${INTERNAL}"}`,
    "<html>".repeat(1000),
    "\u0000\r\nSet-Cookie: x",
  ]) {
    await using hook = await listenAsAttacker((_, response) => {
      response.writeHead(200, { "content-type": "text/html", "set-cookie": "a=b" }).end(body);
    });
    await withWebhook(urlOf(hook), async () => {
      const { status, headers } = await create();
      expect(status).toBe(500);
      expect(headers).not.toHaveProperty("set-cookie");
    });
  }
  expect(server().command.stdout + server().command.stderr).not.toContain(INTERNAL);
});

test("a webhook that never answers, or answers forever, is left when its time is up", async () => {
  const answers: Parameters<typeof listenAsAttacker>[0][] = [
    () => undefined,
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = (): void => {
        if (response.destroyed) return;
        response.write(" ");
        void pause(100).then(drip);
      };
      drip();
    },
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = Buffer.alloc(1024 * 1024, 0x20);
      const pour = (): void => {
        while (!response.destroyed && response.write(piece));
        response.once("drain", pour);
      };
      response.on("error", () => undefined);
      pour();
    },
    (request) => void request.socket.destroy(),
  ];
  for (const answer of answers) {
    await using hook = await listenAsAttacker(answer);
    const before = server().memory();
    const attack = async (): Promise<void> => expect((await create()).status).toBe(500);
    await withWebhook(urlOf(hook), attack, 2);
    expect(server().memory() - before).toBeLessThan(400);
  }
});

const prototype = '[{"op":"add","path":"/metadata/labels/__proto__","value":{"polluted":"x"}}]';

test.each([
  ["a prototype", prototype],
  ["a polluted constructor", '[{"op":"add","path":"/constructor/prototype/polluted","value":"x"}]'],
  ["another name", '[{"op":"replace","path":"/metadata/name","value":"canary"}]'],
  ["another kind", '[{"op":"replace","path":"/kind","value":"Secret"}]'],
  ["everything removed", '[{"op":"remove","path":""}]'],
  [
    "copies of copies",
    JSON.stringify([
      { op: "add", path: "/data", value: { a: "x".repeat(1000) } },
      ...Array.from({ length: 5000 }, (_, at) => ({
        op: "copy",
        from: "/data",
        path: `/data/c${at}`,
      })),
    ]),
  ],
  ["no patch", "{}"],
  ["no JSON", "%%%"],
  ["deep nesting", "[".repeat(200_000)],
])("a webhook that answers a patch with %s changes nothing else", async (_, patch) => {
  await expect(expectHarmless(patch)).resolves.toBeUndefined();
});

test("a webhook cannot put an object into another namespace", async () => {
  const patch = '[{"op":"add","path":"/metadata/namespace","value":"bystander"}]';
  await expect(expectHarmless(patch)).resolves.toBeUndefined();
});

async function expectHarmless(patch: string): Promise<void> {
  await using hook = await listenAsAttacker((_request, response, body) => {
    const { uid } = (JSON.parse(body) as { request: { uid: string } }).request;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: {
          uid,
          allowed: true,
          patchType: "JSONPatch",
          patch: Buffer.from(patch).toString("base64"),
        },
      }),
    );
  });
  const path = WEBHOOKS.replace("validating", "mutating");
  await server().expect(201, { method: "POST", path, body: configuration(urlOf(hook)) });
  try {
    await server().during(async () => {
      const { status, text } = await create();
      // A new name may be given, as in Kubernetes; nothing else of this can be.
      const isRenamed = status === 201 && text.includes('"namespace":"default"');
      expect(status >= 400 || isRenamed).toBe(true);
      expect(text).not.toContain('"polluted":"x"');
    });
  } finally {
    await server().expect(200, { method: "DELETE", path: `${path}/attack` });
  }
  const { text } = await server().expect(201, {
    method: "POST",
    path: `${MAPS}?dryRun=All`,
    body: { metadata: { name: "innocent" } },
  });
  expect(text).not.toContain("polluted");
}

test.each([
  "https://169.254.169.254/latest/meta-data",
  "https://169.254.169.254:443/",
  "https://[fe80::1]/",
  "https://[::ffff:169.254.169.254]/",
  "https://0.0.0.0/",
  "https://224.0.0.1/",
  "https://0251.0376.0251.0376/",
  "https://2852039166/",
  "https://0xa9fea9fe/",
  "https://127.0.0.1:99999999/",
])("a webhook at %s is never called", async (url) => {
  await withWebhook({ url }, async () => {
    const { status, message } = await create();
    expect(status).toBe(500);
    expect(message).toMatch(/is not an address of a webhook|no such host|invalid/i);
  });
});

test.each([
  ["http://127.0.0.1/", "https"],
  ["ftp://127.0.0.1/", "https"],
  ["file:///etc/passwd", "https"],
  ["https://user:password@127.0.0.1/", "user"],
  ["https://127.0.0.1/?token=x", "query"],
  ["https://127.0.0.1/#x", "fragment"],
  ["https:///x", "host"],
  ["javascript:alert(1)", ""],
  ["", ""],
])("a webhook with the URL %j cannot be configured", async (url, why) => {
  await server().during(async () => {
    const body = configuration({ url });
    const { message } = await server().expect(422, { method: "POST", path: WEBHOOKS, body });
    expect(message).toContain(why);
    const definition = definitionOf("forged.example.com", {
      plural: "forgeds",
      kind: "Forged",
      scope: "Namespaced",
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1"], clientConfig: { url } },
      },
    });
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    await server().expect(422, { method: "POST", path, body: definition });
  });
});

test("a conversion webhook is not followed either, and its answer is kept to itself", async () => {
  await using inner = await listenAsAttacker((_, response) => void response.end(INTERNAL));
  await using outer = await listenAsAttacker((_, response) => {
    response.writeHead(302, { location: `https://127.0.0.1:${inner.port}/` }).end();
  });
  await server().during(async () => {
    const conversion = {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: urlOf(outer) },
    };
    const group = "converted.example.com";
    await server().expect(201, {
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      body: definitionOf(group, {
        plural: "turns",
        kind: "Turn",
        scope: "Namespaced",
        conversion,
        versions: ["v1", "v2"],
      }),
    });
    const path = `/apis/${group}/v1/namespaces/default/turns`;
    while ((await server().send({ path })).status === 404);
    const body = { apiVersion: `${group}/v1`, kind: "Turn", metadata: { name: "t" } };
    await server().expect(201, { method: "POST", path, body });
    const { status, text } = await server().send({ path: path.replace("/v1/", "/v2/") });
    expect(status).toBe(500);
    expect(text).not.toContain(INTERNAL);
    expect(inner.asked).toEqual([]);
  });
});

test.each([
  ["127.0.0.1", 400],
  ["127.8.8.8", 400],
  ["169.254.169.254", 400],
  ["::1", 400],
  ["fe80::1", 400],
  ["::ffff:127.0.0.1", 400],
])("a pod that says it is at %s is no way to this machine", async (ip, status) => {
  await server().during(async () => {
    const name = `pod-${ip.replaceAll(/[^0-9a-f]/g, "-")}x`;
    const pods = "/api/v1/namespaces/default/pods";
    await server().expect(201, {
      method: "POST",
      path: pods,
      body: {
        metadata: { name },
        spec: {
          serviceAccountName: "default",
          automountServiceAccountToken: false,
          containers: [{ name: "c", image: "i" }],
        },
      },
    });
    const answer = await server().send({
      method: "PATCH",
      path: `${pods}/${name}/status`,
      type: "application/merge-patch+json",
      body: { status: { phase: "Running", podIP: ip, podIPs: [{ ip }] } },
    });
    // Some of these are no addresses of pods to begin with.
    if (answer.status !== 200) return;
    for (const scheme of ["", "https:"]) {
      const path = `${pods}/${scheme}${name}:${server().identity.port}/proxy/healthz`;
      const { message } = await server().expect(status, { path });
      expect(message).toBe("address not allowed");
    }
  });
});

test.each(["127.0.0.1", "169.254.169.254", "::1"])(
  "a node that says it is at %s is no way to other ports of this machine",
  async (address) => {
    await server().during(async () => {
      const name = `node-${address.replaceAll(/[^0-9a-f]/g, "-")}x`;
      await server().expect(201, {
        method: "POST",
        path: "/api/v1/nodes",
        body: { metadata: { name } },
      });
      await server().expect(200, {
        method: "PATCH",
        path: `/api/v1/nodes/${name}/status`,
        type: "application/merge-patch+json",
        body: {
          status: {
            addresses: [{ type: "InternalIP", address }],
            daemonEndpoints: { kubeletEndpoint: { Port: server().identity.port } },
          },
        },
      });
      for (const id of [name, `${name}:${server().identity.port}`, `https:${name}:22`]) {
        await server().expect(400, { path: `/api/v1/nodes/${id}/proxy/api/v1/secrets` });
      }
    });
    expect(server().isAlive).toBe(true);
  },
);

test("endpoints and external names lead a service's proxy nowhere new", async () => {
  await server().during(async () => {
    const path = "/api/v1/namespaces/default";
    await server().expect(201, {
      method: "POST",
      path: `${path}/services`,
      body: {
        metadata: { name: "outside" },
        spec: { type: "ExternalName", externalName: "metadata.google.internal" },
      },
    });
    await server().expect(201, {
      method: "POST",
      path: `${path}/services`,
      body: { metadata: { name: "inside" }, spec: { ports: [{ port: 80 }] } },
    });
    for (const ip of ["127.0.0.1", "169.254.169.254", "::1"]) {
      const { status } = await server().send({
        method: "POST",
        path: `${path}/endpoints`,
        body: {
          metadata: { name: "inside" },
          subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }],
        },
      });
      expect([ip, status]).toEqual([ip, 422]);
    }
    // Allowed addresses without a pod behind them are nobody's.
    await server().expect(201, {
      method: "POST",
      path: `${path}/endpoints`,
      body: {
        metadata: { name: "inside" },
        subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 80 }] }],
      },
    });
    for (const id of ["outside", "outside:80", "inside", "inside:80", "https:inside:443"]) {
      const { status } = await server().send({ path: `${path}/services/${id}/proxy/` });
      expect([404, 503]).toContain(status);
    }
  });
});
