import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorAnswer, DoorRequest, WatchFrame } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, createApiServer } from "../api-server.ts";
import type { AuthenticationOptions } from "./authentication-options.ts";
import { parseToken, printToken } from "./json-web-token.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
const SECRETS = "/api/v1/namespaces/default/secrets";
const ISSUER = "https://kubernetes.default.svc.cluster.local";

/** Answers, as far as they are looked into. */
interface Shown {
  readonly message: string;
  readonly metadata: { readonly uid: string };
  readonly spec: object;
  readonly status: Reviewed & { readonly token: string; readonly expirationTimestamp: string };
}

interface Reviewed {
  readonly authenticated?: boolean;
  readonly user: UserInfo;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

interface Bench extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly server: ApiServer;
  send(request: Partial<DoorRequest> & { readonly path: string }): Promise<DoorAnswer>;
  /** The object that is answered to the administrator. */
  ask(method: DoorRequest["method"], path: string, value?: unknown): Promise<Shown>;
  /** A token of the account "bot". */
  token(spec?: object): Promise<string>;
  /** What a TokenReview says. */
  review(token: string, audiences?: string[]): Promise<Reviewed>;
  /** The status of a request with this token. */
  tryToken(token: string): Promise<number>;
}

async function openBench(authentication: AuthenticationOptions = {}): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const random = seededRandom(7);
  const options = { store, clock, random, authentication };
  const server = await clock.runUntil(createApiServer(options));
  const bench: Bench = {
    clock,
    server,
    send: (request) =>
      clock.runUntil(server.door.send({ method: "GET", user: MASTER, want: "object", ...request })),
    async ask(method, path, value) {
      const body = value === undefined ? {} : { body: { kind: "value", value } as const };
      const answer = await bench.send({ method, path, ...body });
      if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
      return answer.object as unknown as Shown;
    },
    async token(spec = {}) {
      const { status, message } = await bench.ask("POST", `${ACCOUNTS}/bot/token`, { spec });
      if (status?.token === undefined) throw new Error(message);
      return status.token;
    },
    async review(token, audiences = []) {
      const path = "/apis/authentication.k8s.io/v1/tokenreviews";
      return (await bench.ask("POST", path, { spec: { token, audiences } })).status;
    },
    async tryToken(token) {
      const { status } = await clock.runUntil(
        server.door.send({
          method: "POST",
          path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
          headers: { authorization: `Bearer ${token}` },
          body: { kind: "value", value: {} },
          want: "object",
        }),
      );
      return status;
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await clock.runUntil(store.close());
    },
  };
  await bench.ask("POST", ACCOUNTS, { metadata: { name: "bot" } });
  return bench;
}

const pod = (name: string, account = "bot"): { metadata: object; spec: object } => ({
  metadata: { name },
  spec: {
    serviceAccountName: account,
    automountServiceAccountToken: false,
    containers: [{ name: "c", image: "i" }],
  },
});

test("a token says whose it is, for whom, until when, and its claims stand in order", async () => {
  await using bench = await openBench();
  const { metadata } = await bench.ask("GET", `${ACCOUNTS}/bot`);
  const { spec, status } = await bench.ask("POST", `${ACCOUNTS}/bot/token`, {});
  expect(spec).toEqual({ audiences: [ISSUER], expirationSeconds: 3600, boundObjectRef: null });
  expect(status.expirationTimestamp).toBe("2026-01-01T01:00:00Z");
  const { claims } = parseToken(status.token)!;
  const now = 1_767_225_600;
  expect(JSON.stringify(claims)).toBe(
    JSON.stringify({
      aud: [ISSUER],
      exp: now + 3600,
      iat: now,
      iss: ISSUER,
      jti: claims["jti"],
      "kubernetes.io": {
        namespace: "default",
        serviceaccount: { name: "bot", uid: metadata.uid },
      },
      nbf: now,
      sub: "system:serviceaccount:default:bot",
    }),
  );
  const user: UserInfo = {
    username: "system:serviceaccount:default:bot",
    uid: metadata.uid,
    groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
    extra: {
      "authentication.kubernetes.io/credential-id": [`JTI=${String(claims["jti"])}`],
    },
  };
  expect(await bench.review(status.token)).toEqual({
    authenticated: true,
    user,
    audiences: [ISSUER],
  });
});

test("a token is good for who it is for, in the order they ask", async () => {
  await using bench = await openBench();
  const token = await bench.token({ audiences: ["a", "b"] });
  expect((await bench.review(token, ["b", "z", "a"])).audiences).toEqual(["b", "a"]);
  expect((await bench.review(token)).error).toBe(
    `[invalid bearer token, token audiences ["a" "b"] is invalid for the target audiences ["${ISSUER}"]]`,
  );
  expect(await bench.tryToken(token)).toBe(401);
});

test("a token is refused a minute after its end, and before", async () => {
  await using bench = await openBench();
  const token = await bench.token({ expirationSeconds: 600 });
  expect(await bench.tryToken(token)).toBe(201);
  await bench.clock.advance("11m");
  expect(await bench.tryToken(token)).toBe(201);
  await bench.clock.advance("1s");
  expect(await bench.tryToken(token)).toBe(401);
  expect((await bench.review(token)).error).toBe(
    "[invalid bearer token, service account token has expired]",
  );
});

test("a token made ahead of time is not good yet", async () => {
  await using bench = await openBench();
  const token = await bench.token();
  bench.clock.step(-120_000);
  expect((await bench.review(token)).error).toBe(
    "[invalid bearer token, service account token is not valid yet]",
  );
});

test("a token dies with its account, and does not live again with one of the same name", async () => {
  await using bench = await openBench();
  const token = await bench.token();
  expect(await bench.tryToken(token)).toBe(201);
  await bench.ask("DELETE", `${ACCOUNTS}/bot`);
  expect(await bench.tryToken(token)).toBe(401);
  expect((await bench.review(token)).error).toBe(
    '[invalid bearer token, serviceaccounts "bot" not found]',
  );
  await bench.ask("POST", ACCOUNTS, { metadata: { name: "bot" } });
  expect((await bench.review(token)).error).toMatch(
    /^\[invalid bearer token, service account UID \(.*\) does not match claim \(.*\)\]$/,
  );
});

test("a token that is bound to a secret dies with it", async () => {
  await using bench = await openBench();
  const { metadata } = await bench.ask("POST", SECRETS, { metadata: { name: "s" } });
  const boundObjectRef = { kind: "Secret", apiVersion: "v1", name: "s", uid: metadata.uid };
  const token = await bench.token({ boundObjectRef });
  expect(parseToken(token)!.claims["kubernetes.io"]).toMatchObject({
    secret: { name: "s", uid: metadata.uid },
  });
  expect(await bench.tryToken(token)).toBe(201);
  await bench.ask("DELETE", `${SECRETS}/s`);
  expect((await bench.review(token)).error).toBe(
    "[invalid bearer token, service account token has been invalidated]",
  );
  await bench.ask("POST", SECRETS, { metadata: { name: "s" } });
  expect((await bench.review(token)).error).toMatch(
    /secret UID \(.*\) does not match service account secret ref claim/,
  );
});

test("a token of a pod tells where it runs, lives a year where a kubelet asks, and dies with the pod", async () => {
  await using bench = await openBench();
  const node = await bench.ask("POST", "/api/v1/nodes", { metadata: { name: "n" } });
  const PODS = "/api/v1/namespaces/default/pods";
  const bare = pod("web");
  const placed = { ...bare, spec: { ...bare.spec, nodeName: "n" } };
  const { metadata } = await bench.ask("POST", PODS, placed);
  const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "web" };
  const token = await bench.token({ boundObjectRef, expirationSeconds: 3607 });
  const { claims } = parseToken(token)!;
  const now = 1_767_225_600;
  expect(claims["kubernetes.io"]).toMatchObject({
    node: { name: "n", uid: node.metadata.uid },
    pod: { name: "web", uid: metadata.uid },
    warnafter: now + 3607,
  });
  expect(claims["exp"]).toBe(now + 365 * 24 * 3600);
  expect((await bench.review(token)).user.extra).toEqual({
    "authentication.kubernetes.io/credential-id": [`JTI=${String(claims["jti"])}`],
    "authentication.kubernetes.io/node-name": ["n"],
    "authentication.kubernetes.io/node-uid": [node.metadata.uid],
    "authentication.kubernetes.io/pod-name": ["web"],
    "authentication.kubernetes.io/pod-uid": [metadata.uid],
  });
  // It goes on for a minute after the time the pod was given to end.
  await bench.ask("DELETE", `${PODS}/web`);
  await bench.clock.advance("80s");
  expect(await bench.tryToken(token)).toBe(201);
  await bench.clock.advance("11s");
  expect(await bench.tryToken(token)).toBe(401);
});

test("what a token cannot be bound to is told", async () => {
  await using bench = await openBench();
  const PODS = "/api/v1/namespaces/default/pods";
  await bench.ask("POST", ACCOUNTS, { metadata: { name: "other" } });
  await bench.ask("POST", PODS, pod("theirs", "other"));
  const bound = async (boundObjectRef: object): Promise<string> => {
    const request = { spec: { boundObjectRef } };
    return (await bench.ask("POST", `${ACCOUNTS}/bot/token`, request)).message;
  };
  expect(await bound({ kind: "Pod", apiVersion: "v1", name: "theirs" })).toBe(
    'cannot bind token for serviceaccount "bot" to pod running with different serviceaccount name.',
  );
  expect(await bound({ kind: "Deployment", apiVersion: "apps/v1", name: "d" })).toBe(
    "cannot bind token to object of type apps/v1, Kind=Deployment",
  );
  expect(await bound({ kind: "Node", name: "../x" })).toBe('nodes "../x" not found');
  await bench.ask("POST", SECRETS, { metadata: { name: "s" } });
  expect(await bound({ kind: "Secret", apiVersion: "v1", name: "s", uid: "x" })).toBe(
    'Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
  );
});

test("a life that is too long is shortened, and that is told", async () => {
  await using bench = await openBench({ maxTokenSeconds: 7200 });
  const answer = await bench.send({
    method: "POST",
    path: `${ACCOUNTS}/bot/token`,
    body: { kind: "value", value: { spec: { expirationSeconds: 9000 } } },
  });
  expect(answer).toMatchObject({
    headers: {
      warning: ['299 - "requested expiration of 9000 seconds shortened to 7200 seconds"'],
    },
    object: { spec: { expirationSeconds: 7200 } },
  });
});

test("a token that somebody else signed, or changed, is refused", async () => {
  await using bench = await openBench();
  await using other = await openBench({ audiences: [ISSUER] });
  const token = await bench.token();
  const [head, body, signature] = token.split(".") as [string, string, string];
  const { claims } = parseToken(token)!;
  const forged = printToken({ alg: "ES256", kid: "unknown" }, claims, () => new Uint8Array(64));
  expect((await bench.review(forged)).error).toBe(
    "[invalid bearer token, invalid signature, no keys found]",
  );
  const { keyId } = bench.server.authenticator.keys.signer;
  for (const alg of ["none", "HS256", "RS256", "ES256"]) {
    const lie = printToken({ alg, kid: keyId }, claims, () => Buffer.from(signature, "base64url"));
    const isTheSame = lie === token;
    expect((await bench.review(lie)).error).toBe(
      isTheSame
        ? undefined
        : "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]",
    );
  }
  const raised = Buffer.from(JSON.stringify({ ...claims, exp: 9_999_999_999 }));
  expect(await bench.tryToken(`${head}.${raised.toString("base64url")}.${signature}`)).toBe(401);
  expect(await bench.tryToken(`${head}.${body}.`)).toBe(401);
  expect((await other.review("a.b.c")).error).toBe("invalid bearer token");
});

test("names in a signed token reach nothing but objects", async () => {
  await using bench = await openBench();
  const { signer } = bench.server.authenticator.keys;
  const { claims } = parseToken(await bench.token())!;
  const own = { namespace: "default/x", serviceaccount: { name: "../bot", uid: "u" } };
  const odd = printToken(
    { alg: signer.algorithm, kid: signer.keyId },
    { ...claims, "kubernetes.io": own },
    (bytes) => signer.sign(bytes),
  );
  expect((await bench.review(odd)).error).toBe(
    '[invalid bearer token, serviceaccounts "../bot" not found]',
  );
});

test("a watch ends when the token it was opened with dies", async () => {
  await using bench = await openBench();
  const role = {
    metadata: { name: "reader" },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["*"] }],
  };
  const subjects = [{ kind: "ServiceAccount", name: "bot", namespace: "default" }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" };
  const RBAC = "/apis/rbac.authorization.k8s.io/v1";
  await bench.ask("POST", `${RBAC}/clusterroles`, role);
  await bench.ask("POST", `${RBAC}/clusterrolebindings`, {
    metadata: { name: "reader" },
    subjects,
    roleRef,
  });
  await bench.ask("POST", SECRETS, { metadata: { name: "s" } });
  const watch = async (token: string): Promise<{ over: boolean; frames: WatchFrame[] }> => {
    const answer = await bench.clock.runUntil(
      bench.server.door.send({
        method: "GET",
        path: "/api/v1/namespaces/default/configmaps",
        query: { watch: "true", resourceVersion: "0" },
        headers: { authorization: `Bearer ${token}` },
        want: "object",
      }),
    );
    if (answer.kind !== "watch") throw new Error(`expected a watch, got ${answer.status}`);
    const seen = { over: false, frames: [] as WatchFrame[] };
    void (async () => {
      for await (const frame of answer.frames) seen.frames.push(frame);
      seen.over = true;
    })();
    return seen;
  };
  const boundObjectRef = { kind: "Secret", apiVersion: "v1", name: "s" };
  const bound = await watch(await bench.token({ boundObjectRef }));
  const short = await watch(await bench.token({ expirationSeconds: 600 }));
  const long = await watch(await bench.token());
  await bench.ask("DELETE", `${SECRETS}/s`);
  await bench.clock.settle();
  expect([bound.over, short.over, long.over]).toEqual([true, false, false]);
  await bench.ask("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "c" } });
  await bench.clock.settle();
  expect(long.frames.at(-1)?.object.metadata?.name).toBe("c");
  expect(bound.frames.at(-1)?.object.metadata?.name).not.toBe("c");
  await bench.clock.advance("11m");
  expect(short.over).toBe(false);
  await bench.clock.advance("1s");
  expect([short.over, long.over]).toEqual([true, false]);
  await bench.ask("DELETE", `${ACCOUNTS}/bot`);
  await bench.clock.settle();
  expect(long.over).toBe(true);
});

test("a token kept in a secret is good for as long as the secret holds it", async () => {
  await using bench = await openBench();
  const { metadata } = await bench.ask("GET", `${ACCOUNTS}/bot`);
  const { signer } = bench.server.authenticator.keys;
  const prefix = "kubernetes.io/serviceaccount/";
  const token = printToken(
    { alg: signer.algorithm, kid: signer.keyId },
    {
      iss: "kubernetes/serviceaccount",
      [`${prefix}namespace`]: "default",
      [`${prefix}secret.name`]: "kept",
      [`${prefix}service-account.name`]: "bot",
      [`${prefix}service-account.uid`]: metadata.uid,
      sub: "system:serviceaccount:default:bot",
    },
    (bytes) => signer.sign(bytes),
  );
  expect((await bench.review(token)).error).toBe(
    "[invalid bearer token, Token has been invalidated]",
  );
  const secret = {
    metadata: {
      name: "kept",
      annotations: { "kubernetes.io/service-account.name": "bot" },
    },
    type: "kubernetes.io/service-account-token",
    data: { token: Buffer.from(token).toString("base64") },
  };
  await bench.ask("POST", SECRETS, secret);
  expect(await bench.review(token)).toMatchObject({
    authenticated: true,
    user: { username: "system:serviceaccount:default:bot", uid: metadata.uid },
  });
  await bench.ask("PUT", `${SECRETS}/kept`, { ...secret, data: { token: "b3RoZXI=" } });
  expect((await bench.review(token)).error).toBe(
    "[invalid bearer token, Token does not match server's copy]",
  );
  const labels = { "kubernetes.io/legacy-token-invalid-since": "2026-01-01" };
  const marked = { ...secret, metadata: { ...secret.metadata, labels } };
  await bench.ask("PUT", `${SECRETS}/kept`, marked);
  expect((await bench.review(token)).error).toContain("has been marked invalid");
});

test("a plane with the same chance issues tokens with the same claims and key", async () => {
  const heads = await Promise.all(
    [1, 2].map(async () => {
      await using bench = await openBench();
      return (await bench.token()).split(".").slice(0, 2);
    }),
  );
  expect(heads[0]).toEqual(heads[1]);
});
