/**
 * Whatever a caller is permitted to do, it never ends up with a permission that it did not hold. The
 * caller is a coalition: everybody who it may act as from the beginning, by impersonation or by a token.
 * Who may `escalate` or `bind` may take what they want by right, so nobody in the coalition may.
 * Nor does anything come to be that nobody of them may create.
 */
import { type ApiServer, createApiServer } from "@homeostat/api-server";
import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorRequest, KubernetesObject } from "@homeostat/object-model";
import type { PolicyRule, Subject } from "@homeostat/object-model/rbac-v1";
import { openMemoryStore } from "@homeostat/store";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Deed, mayDo, type Person, type RbacWorld } from "./tiny-rbac.ts";

const GROUP = "rbac.authorization.k8s.io";
const RBAC = `/apis/${GROUP}/v1`;
const NAMESPACES = ["default", "kube-public"] as const;
const KINDS = ["roles", "clusterroles", "rolebindings", "clusterrolebindings"] as const;
type Kind = (typeof KINDS)[number];

const master = { username: "root", groups: ["system:masters"] };
const eve = person("eve", "devs");
const robot = person("system:serviceaccount:default:robot", "system:serviceaccounts");
const victim = person("victim", "ops");
const people: readonly Person[] = [eve, robot, victim];

function person(username: string, ...groups: string[]): Person {
  return { username, groups: [...groups, "system:authenticated"] };
}

// Small words, so that random sentences often mean something.

const writeRoles: PolicyRule = {
  verbs: ["get", "create", "update", "patch", "delete"],
  apiGroups: [GROUP],
  resources: [...KINDS],
};
/** Enough to change what is there, and for nothing new. */
const changeRoles: PolicyRule = { ...writeRoles, verbs: ["get", "update", "patch"] };
const pods = (verb: string): PolicyRule => ({
  verbs: [verb],
  apiGroups: [""],
  resources: ["pods"],
});
const harmless: readonly PolicyRule[] = [
  pods("get"),
  { ...pods("get"), resourceNames: ["a"] },
  { ...pods("get"), resources: ["*/status"] },
  { ...pods("delete"), resources: ["pods", "pods/status"] },
  { verbs: ["get"], nonResourceURLs: ["/debug/*"] },
  { verbs: ["create", "delete"], apiGroups: [""], resources: ["serviceaccounts"] },
];
const mighty: readonly PolicyRule[] = [
  { ...pods("*"), resources: ["secrets"] },
  { verbs: ["escalate", "bind"], apiGroups: [GROUP], resources: ["*"] },
  { verbs: ["impersonate"], apiGroups: [""], resources: ["users", "groups"] },
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
  { verbs: ["create"], apiGroups: [""], resources: ["serviceaccounts/token"] },
];
const actAsRobot: readonly PolicyRule[] = [
  {
    verbs: ["impersonate"],
    apiGroups: [""],
    resources: ["users"],
    resourceNames: [robot.username],
  },
  { verbs: ["impersonate"], apiGroups: [""], resources: ["serviceaccounts"] },
  { verbs: ["create"], apiGroups: [""], resources: ["serviceaccounts/token"] },
];

const GATHER = { "example.com/gather": "yes" };
const anyRules = fc.array(fc.constantFrom(...harmless, ...mighty, writeRoles), { maxLength: 2 });
const holdings = fc.array(fc.constantFrom(...harmless, ...actAsRobot, writeRoles, changeRoles), {
  minLength: 1,
  maxLength: 3,
});
const name = fc.constantFrom("a", "b", "mighty", "gathering", "dangling");
const anySubject: fc.Arbitrary<Subject> = fc.constantFrom<Subject[]>(
  { kind: "User", apiGroup: GROUP, name: "eve" },
  { kind: "Group", apiGroup: GROUP, name: "devs" },
  { kind: "ServiceAccount", name: "robot", namespace: "default" },
  { kind: "Group", apiGroup: GROUP, name: "system:authenticated" },
);

interface Step {
  readonly actor: Person;
  readonly as: Person | "masters" | undefined;
  readonly way: "POST" | "PUT" | "PATCH" | "DELETE" | "APPLY" | "TOKEN";
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly role: string;
  readonly rules: readonly PolicyRule[];
  readonly subjects: readonly Subject[];
  readonly isGathered: boolean;
  readonly gathers: boolean;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  actor: fc.constantFrom(eve, robot),
  as: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(robot, victim, "masters" as const) },
  ),
  way: fc.constantFrom("POST", "POST", "PUT", "PATCH", "DELETE", "APPLY", "TOKEN"),
  kind: fc.constantFrom(...KINDS),
  namespace: fc.constantFrom(...NAMESPACES),
  name,
  role: fc.oneof(name, fc.constantFrom("cluster-admin", "local", "robots", "system:basic-user")),
  rules: fc.oneof(anyRules, holdings, fc.constantFrom([writeRoles], [pods("get")], [])),
  subjects: fc.array(anySubject, { maxLength: 2 }),
  isGathered: fc.boolean(),
  gathers: fc.oneof(
    { weight: 4, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

interface Start {
  readonly inCluster: readonly PolicyRule[];
  readonly inNamespace: readonly PolicyRule[];
  readonly ofRobot: readonly PolicyRule[];
}

/** Whoever writes roles has something to give. */
const withRoles = fc
  .tuple(fc.constantFrom(writeRoles, changeRoles), holdings)
  .map(([roles, rules]) => rules.concat(roles));

const anyStart: fc.Arbitrary<Start> = fc.record({
  inCluster: fc.oneof(withRoles, holdings, fc.constant([])),
  inNamespace: withRoles,
  ofRobot: fc.oneof(withRoles, holdings, fc.constant([])),
});

class Bench {
  readonly #clock: ManualClock;
  readonly #server: ApiServer;

  private constructor(clock: ManualClock, server: ApiServer) {
    this.#clock = clock;
    this.#server = server;
  }

  static async open(): Promise<Bench> {
    const clock = new ManualClock();
    const store = openMemoryStore({ clock });
    const random = seededRandom(1);
    return new Bench(clock, await clock.runUntil(createApiServer({ store, clock, random })));
  }

  async ask(
    user: Person,
    request: Pick<DoorRequest, "method" | "path"> & Partial<DoorRequest>,
  ): Promise<{ readonly status: number; readonly object: KubernetesObject }> {
    const who = { username: user.username, groups: [...user.groups] };
    const answer = await this.#clock.runUntil(
      this.#server.door.send({ user: who, want: "object", ...request }),
    );
    if (answer.kind !== "object") throw new Error(`answered with ${answer.kind}`);
    return answer;
  }

  async make(path: string, value: object): Promise<void> {
    const request = { method: "POST", path, body: { kind: "value", value } } as const;
    const { status, object } = await this.ask(master, request);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(object)}`);
  }

  /** What is stored, once controllers are at rest. */
  async world(): Promise<RbacWorld> {
    await this.#clock.settle();
    const list = async <T>(kind: Kind): Promise<readonly T[]> => {
      const { object } = await this.ask(master, { method: "GET", path: `${RBAC}/${kind}` });
      return (object as unknown as { items: readonly T[] }).items;
    };
    return {
      clusterRoles: await list("clusterroles"),
      roles: await list("roles"),
      clusterRoleBindings: await list("clusterrolebindings"),
      roleBindings: await list("rolebindings"),
    };
  }

  async isAllowed(who: Person, deed: Deed): Promise<boolean> {
    const spec = {
      user: who.username,
      groups: [...who.groups],
      ...("url" in deed
        ? { nonResourceAttributes: { verb: deed.verb, path: deed.url } }
        : { resourceAttributes: attributesOf(deed) }),
    };
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    const body = { kind: "value", value: { spec } } as const;
    const { object } = await this.ask(master, { method: "POST", path, body });
    return (object as unknown as { status: { allowed: boolean } }).status.allowed;
  }

  async close(): Promise<void> {
    await this.#server.close();
  }
}

function attributesOf(deed: Exclude<Deed, { url: string }>): object {
  const [resource = "", subresource = ""] = deed.resource.split("/");
  return { ...deed, resource, subresource };
}

/** Everything that the words above can speak of. */
const DEEDS: readonly Deed[] = [
  ...deeds("", ["pods", "pods/status", "secrets"], ["get", "delete"]),
  ...deeds("", ["serviceaccounts", "serviceaccounts/token"], ["create"]),
  ...deeds("", ["users", "groups", "serviceaccounts"], ["impersonate"]),
  ...deeds(GROUP, [...KINDS], ["create", "patch", "bind", "escalate"]),
  ...deeds("example.com", ["things"], ["get"]),
  { verb: "get", url: "/debug/x" },
  { verb: "get", url: "/metrics" },
];

function deeds(group: string, resources: readonly string[], verbs: readonly string[]): Deed[] {
  return ["", ...NAMESPACES].flatMap((namespace) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        (verb === "impersonate" ? ["robot", robot.username] : ["a"]).map((of) => ({
          verb,
          group,
          resource,
          name: of,
          namespace,
        })),
      ),
    ),
  );
}

async function begin(bench: Bench, start: Start): Promise<void> {
  await bench.make("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
  const roles: Record<string, object> = {
    cluster: { rules: start.inCluster },
    local: { rules: start.inNamespace },
    robots: { rules: start.ofRobot },
    mighty: { rules: mighty },
    gathering: { aggregationRule: { clusterRoleSelectors: [{ matchLabels: GATHER }] } },
  };
  for (const [role, said] of Object.entries(roles)) {
    await bench.make(`${RBAC}/clusterroles`, { metadata: { name: role }, ...said });
  }
  const toEve: Subject = { kind: "User", apiGroup: GROUP, name: "eve" };
  const toRobot: Subject = { kind: "ServiceAccount", name: "robot", namespace: "default" };
  const toVictim: Subject = { kind: "User", apiGroup: GROUP, name: "victim" };
  const bound: readonly (readonly [string, Subject, string?])[] = [
    ["cluster", toEve],
    ["local", toEve, "default"],
    ["robots", toRobot],
    ["gathering", toEve],
    ["dangling", toEve],
    ["mighty", toVictim],
  ];
  for (const [role, subject, namespace] of bound) {
    const place = namespace === undefined ? "" : `/namespaces/${namespace}`;
    const kind = namespace === undefined ? "clusterrolebindings" : "rolebindings";
    await bench.make(`${RBAC}${place}/${kind}`, {
      metadata: { name: role },
      roleRef: { apiGroup: GROUP, kind: "ClusterRole", name: role },
      subjects: [subject],
    });
  }
}

/** Everybody that eve can be, and those who they can be. */
function coalitionOf(world: RbacWorld): readonly Person[] {
  const members: Person[] = [eve];
  for (const member of members) {
    for (const other of people) {
      if (!members.includes(other) && canBe(world, member, other)) members.push(other);
    }
  }
  return members;
}

function canBe(world: RbacWorld, one: Person, other: Person): boolean {
  const impersonate = { verb: "impersonate", group: "" };
  if (other === robot) {
    const account = { ...impersonate, resource: "serviceaccounts", name: "robot" };
    const token = { verb: "create", group: "", resource: "serviceaccounts/token", name: "robot" };
    return [account, token].some((deed) => mayDo(world, one, { ...deed, namespace: "default" }));
  }
  const user = { ...impersonate, resource: "users", name: other.username, namespace: "" };
  return mayDo(world, one, user);
}

/** A token that speaks for the robot; undefined where none is given. */
async function tokenOf(bench: Bench, actor: Person): Promise<string | undefined> {
  const path = "/api/v1/namespaces/default/serviceaccounts/robot/token";
  const body = { kind: "value", value: { spec: {} } } as const;
  const { status, object } = await bench.ask(actor, { method: "POST", path, body });
  if (status >= 300) return undefined;
  return (object as unknown as { status: { token: string } }).status.token;
}

async function take(bench: Bench, step: Step): Promise<number> {
  if (step.way === "TOKEN") {
    const token = await tokenOf(bench, step.actor);
    return token === undefined ? 403 : 201;
  }
  const namespace = namespaceOf(step);
  const collection = `${RBAC}${namespace && `/namespaces/${namespace}`}/${step.kind}`;
  const value = {
    kind: { roles: "Role", clusterroles: "ClusterRole" }[step.kind as string] ?? bindingKind(step),
    apiVersion: `${GROUP}/v1`,
    metadata: { name: step.name, ...(step.isGathered && { labels: GATHER }) },
    ...contentOf(step),
  };
  const headers: Record<string, string> = {
    "content-type": TYPES[step.way] ?? "application/json",
    ...(step.as === "masters"
      ? { "impersonate-user": "x", "impersonate-group": "system:masters" }
      : step.as !== undefined && { "impersonate-user": step.as.username }),
  };
  const { status } = await bench.ask(step.actor, {
    method: step.way === "APPLY" ? "PATCH" : step.way,
    path: step.way === "POST" ? collection : `${collection}/${step.name}`,
    query: step.way === "APPLY" ? { fieldManager: "test", force: "true" } : {},
    headers,
    ...(step.way !== "DELETE" && { body: { kind: "value", value } }),
  });
  return status;
}

const TYPES: Readonly<Record<string, string>> = {
  PATCH: "application/merge-patch+json",
  APPLY: "application/apply-patch+yaml",
};

function bindingKind({ kind }: Step): string {
  return kind === "rolebindings" ? "RoleBinding" : "ClusterRoleBinding";
}

function contentOf(step: Step): object {
  switch (step.kind) {
    case "clusterroles":
      return {
        rules: step.rules,
        ...(step.gathers && {
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: GATHER }] },
        }),
      };
    case "roles":
      return { rules: step.rules };
    default:
      return {
        roleRef: { apiGroup: GROUP, kind: "ClusterRole", name: step.role },
        subjects: step.subjects,
      };
  }
}

const LISTS = {
  roles: "roles",
  clusterroles: "clusterRoles",
  rolebindings: "roleBindings",
  clusterrolebindings: "clusterRoleBindings",
} as const;

/** Whether what the step is about is there. */
function isIn(world: RbacWorld, step: Step): boolean {
  if (step.way === "TOKEN") return true;
  return world[LISTS[step.kind]].some(
    ({ metadata }) =>
      metadata?.name === step.name && (metadata.namespace ?? "") === namespaceOf(step),
  );
}

function namespaceOf({ kind, namespace }: Step): string {
  return kind === "roles" || kind === "rolebindings" ? namespace : "";
}

function creationOf(step: Step): Deed {
  const { kind: resource, name: of } = step;
  return { verb: "create", group: GROUP, resource, name: of, namespace: namespaceOf(step) };
}

/** Steps of somebody who is not in the coalition are somebody else's. */
function isCallers(step: Step, coalition: readonly Person[]): boolean {
  return coalition.includes(step.actor);
}

const runs = Number(process.env["HOMEOSTAT_ESCALATION_RUNS"] ?? 60);
/** How many of all steps were permitted: a test in which nothing is tells nothing. */
let permitted = 0;

test("no sequence of permitted requests gives a caller a permission that it did not hold", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyStart,
      fc.array(anyStep, { minLength: 2, maxLength: 6 }),
      async (start, steps) => {
        const bench = await Bench.open();
        await begin(bench, start);
        const before = await bench.world();
        const coalition = coalitionOf(before);
        fc.pre(!coalition.includes(victim));
        const held = new Set(
          DEEDS.filter((deed) => coalition.some((each) => mayDo(before, each, deed))),
        );
        let speaksForRobot = false;
        for (const step of steps) {
          const now = await bench.world();
          if (!isCallers(step, coalition) || (await take(bench, step)) >= 300) continue;
          permitted++;
          const isNew = !isIn(now, step) && isIn(await bench.world(), step);
          const mayCreate = coalition.some((each) => mayDo(now, each, creationOf(step)));
          expect([step.way, step.kind, isNew && !mayCreate]).toEqual([step.way, step.kind, false]);
          speaksForRobot ||= step.way === "TOKEN";
        }
        const after = await bench.world();
        const gained: [string, Deed][] = [];
        for (const deed of DEEDS) {
          for (const each of coalition) {
            const allowed = mayDo(after, each, deed);
            expect([deed, each, await bench.isAllowed(each, deed)]).toEqual([deed, each, allowed]);
            if (allowed && !held.has(deed)) gained.push([each.username, deed]);
          }
        }
        expect(gained).toEqual([]);
        expect(speaksForRobot && !coalition.includes(robot)).toBe(false);
        await bench.close();
      },
    ),
    { numRuns: runs },
  );
  expect(permitted).toBeGreaterThan(0);
}, 300_000);
