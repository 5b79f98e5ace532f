import { ApiError, type KubernetesObject } from "@homeostat/object-model";
import type { Pod, PodStatus } from "@homeostat/object-model/core-v1";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import type { PodDisruptionBudget } from "@homeostat/object-model/policy-v1";
import { expect, test } from "vitest";
import { spendDisruption } from "./disruption-budget.ts";
import { deleteOptionsOf, Evictions, markEvicted, planEviction } from "./eviction.ts";
import type { ObjectStore } from "./object-store.ts";

const NOW = 1_767_225_600_000;
const READY: PodStatus = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
const UNREADY: PodStatus = { phase: "Running" };

function pod(status: PodStatus = READY): Pod {
  return {
    metadata: {
      name: "p",
      namespace: "default",
      uid: "u",
      resourceVersion: "9",
      labels: { app: "x" },
    },
    spec: { containers: [] },
    status: structuredClone(status),
  };
}

function budget(
  status: PodDisruptionBudget["status"],
  spec: PodDisruptionBudget["spec"] = {},
): PodDisruptionBudget {
  return {
    metadata: { name: "b", namespace: "default", generation: 1 },
    spec: { selector: { matchLabels: { app: "x" } }, ...spec },
    status: { observedGeneration: 1, disruptionsAllowed: 0, ...status },
  };
}

/** Objects by name; deletions fail as often as `conflicts` says. */
class Objects implements ObjectStore {
  readonly objects: Map<string, KubernetesObject>;
  readonly deleted: DeleteOptions[] = [];
  conflicts = 0;

  constructor(...objects: KubernetesObject[]) {
    this.objects = new Map(objects.map((object) => [object.metadata?.name ?? "", object]));
  }

  get(name: string): KubernetesObject {
    const found = this.objects.get(name);
    if (!found) throw ApiError.notFound({ group: "", resource: "pods" }, name);
    return found;
  }

  list(): Iterable<KubernetesObject> {
    return this.objects.values();
  }

  async update(
    ...[{ name }, change, options]: Parameters<ObjectStore["update"]>
  ): Promise<KubernetesObject> {
    const after = await change(structuredClone(this.get(name)));
    if (after.metadata) after.metadata.resourceVersion = "10";
    if (!options.dryRun) this.objects.set(name, after);
    return after;
  }

  async delete(
    name: string,
    _namespace: string | undefined,
    options: DeleteOptions,
  ): Promise<KubernetesObject> {
    if (this.conflicts-- > 0) throw ApiError.conflict({ group: "", resource: "pods" }, name);
    this.deleted.push(options);
    return this.get(name);
  }
}

function evict(pods: Objects, budgets: Objects, deleteOptions?: DeleteOptions): Promise<unknown> {
  const evictions = new Evictions({ pods, budgets, now: () => NOW });
  const eviction = { metadata: { name: "p" }, ...(deleteOptions && { deleteOptions }) };
  return evictions.create(eviction, { name: "p", namespace: "default", dryRun: [] });
}

async function refusal(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error(`got ${String(error)} instead of an ApiError`);
  return error;
}

test("pods that are over, going or not started need no permission", () => {
  const none = [budget({})];
  const over = { action: "delete", guarded: false };
  expect(planEviction(pod({ phase: "Succeeded" }), none)).toEqual(over);
  expect(planEviction(pod({ phase: "Failed" }), none)).toEqual(over);
  const going = pod();
  going.metadata.deletionTimestamp = "2026-01-01T00:00:00Z";
  expect(planEviction(going, none)).toEqual(over);
  expect(planEviction(pod({ phase: "Pending" }), none)).toEqual({
    action: "delete",
    guarded: true,
  });
});

test("only budgets of the namespace that select the pod count", () => {
  const free = { action: "delete", guarded: false };
  const elsewhere = { ...budget({}), metadata: { name: "b", namespace: "other" } };
  const broken = budget({}, { selector: { matchLabels: { "a b": "" } } });
  const others = budget({}, { selector: { matchLabels: { app: "y" } } });
  expect(planEviction(pod(), [elsewhere, broken, others])).toEqual(free);
  expect(planEviction(pod(), [budget({})])).toEqual({ action: "spend", budget: "b" });
});

test("an empty selector selects every pod and an absent one none", () => {
  expect(planEviction(pod(), [budget({}, { selector: {} })]).action).toBe("spend");
  const { selector: _, ...spec } = budget({}).spec ?? {};
  expect(planEviction(pod(), [{ ...budget({}), spec }]).action).toBe("delete");
});

test("two budgets for one pod are a server error", () => {
  expect(() => planEviction(pod(), [budget({}), budget({})])).toThrow(
    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
  );
});

test("a pod that is not ready may go while the budget is met without it, or always if it says so", () => {
  const free = { action: "delete", guarded: true, budget: "b" };
  expect(planEviction(pod(UNREADY), [budget({ currentHealthy: 2, desiredHealthy: 2 })])).toEqual(
    free,
  );
  const always = { unhealthyPodEvictionPolicy: "AlwaysAllow" };
  expect(planEviction(pod(UNREADY), [budget({}, always)])).toEqual(free);
  expect(planEviction(pod(UNREADY), [budget({})]).action).toBe("spend");
  expect(planEviction(pod(UNREADY), [budget({ desiredHealthy: 1 })]).action).toBe("spend");
});

test("a disruption is spent and the pod noted; the last one turns the condition", () => {
  const spent = spendDisruption(budget({ disruptionsAllowed: 2 }), "__proto__", NOW);
  expect(spent.status?.disruptionsAllowed).toBe(1);
  expect(Object.entries(spent.status?.disruptedPods ?? {})).toEqual([
    ["__proto__", "2026-01-01T00:00:00Z"],
  ]);
  expect(spent.status?.conditions).toBeUndefined();
  expect(spendDisruption(spent, "q", NOW).status?.conditions).toEqual([
    {
      type: "DisruptionAllowed",
      status: "False",
      observedGeneration: 1,
      lastTransitionTime: "2026-01-01T00:00:00Z",
      reason: "InsufficientPods",
      message: "",
    },
  ]);
});

test("without a disruption left the cause says why", () => {
  const cause = (status: PodDisruptionBudget["status"]): unknown => {
    try {
      spendDisruption(budget(status), "p", NOW);
    } catch (error) {
      if (error instanceof ApiError) return [error.httpStatus, error.message, error.details];
    }
    return undefined;
  };
  const answer = (message: string, retry = {}): unknown => [
    429,
    "Cannot evict pod as it would violate the pod's disruption budget.",
    { causes: [{ reason: "DisruptionBudget", message }], ...retry },
  ];
  const condition = (reason: string): { conditions: [never] } => {
    return {
      conditions: [{ type: "DisruptionAllowed", status: "False", reason, message: "boo" } as never],
    };
  };
  const healthy = { currentHealthy: 3, desiredHealthy: 2 };
  const none = "The disruption budget b does not allow evicting pods currently";
  expect(cause({ observedGeneration: 0 })).toEqual(
    answer("The disruption budget b is still being processed by the server.", {
      retryAfterSeconds: 10,
    }),
  );
  expect(cause({ currentHealthy: 1, desiredHealthy: 2 })).toEqual(
    answer("The disruption budget b needs 2 healthy pods and has 1 currently"),
  );
  expect(cause(healthy)).toEqual(answer(none));
  expect(cause({ ...healthy, ...condition("Other") })).toEqual(answer(`${none} (Other): boo`));
  expect(cause(condition("SyncFailed"))).toEqual(answer(`${none} because it failed sync: boo`));
});

test("a broken budget is refused as such", () => {
  expect(() => spendDisruption(budget({ disruptionsAllowed: -1 }), "p", NOW)).toThrow(
    'poddisruptionbudget.policy "b" is forbidden: pdb disruptions allowed is negative',
  );
});

test("the mark on the pod refuses another pod of the name and another state of it", () => {
  const conflict = 'Operation cannot be fulfilled on Pod "p": ';
  expect(() => markEvicted(pod(), { preconditions: { uid: "v" } }, NOW)).toThrow(
    `${conflict}the UID in the precondition (v) does not match the UID in record (u). The object might have been deleted and then recreated`,
  );
  expect(() => markEvicted(pod(), { preconditions: { resourceVersion: "1" } }, NOW)).toThrow(
    `${conflict}the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (9). The object might have been modified`,
  );
});

test("dry run comes from the request or the body, and they must agree", () => {
  const all = { deleteOptions: { dryRun: ["All"] } };
  expect(deleteOptionsOf({}, ["All"])).toEqual({ dryRun: ["All"] });
  expect(deleteOptionsOf(all, [])).toEqual({ dryRun: ["All"] });
  expect(() => deleteOptionsOf(all, ["All", "All"])).toThrow(
    "Non-matching dry-run options in request and content: [All All] and [All]",
  );
});

test("an eviction spends, marks and deletes with the client's options", async () => {
  const pods = new Objects(pod());
  const budgets = new Objects(budget({ disruptionsAllowed: 1 }));
  await expect(evict(pods, budgets, { gracePeriodSeconds: 5 })).resolves.toMatchObject({
    status: "Success",
    code: 201,
  });
  expect(pods.deleted).toEqual([{ gracePeriodSeconds: 5 }]);
  expect((pods.get("p") as Pod).status?.conditions?.[1]).toEqual({
    type: "DisruptionTarget",
    status: "True",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  });
  expect((budgets.get("b") as PodDisruptionBudget).status?.disruptionsAllowed).toBe(0);
});

test("a refused eviction leaves the pod alone", async () => {
  const pods = new Objects(pod());
  const error = await refusal(evict(pods, new Objects(budget({}))));
  expect(error.hasCause("DisruptionBudget")).toBe(true);
  expect([pods.deleted, pods.get("p")]).toEqual([[], pod()]);
});

test("a dry run spends and marks nothing", async () => {
  const pods = new Objects(pod());
  const budgets = new Objects(budget({ disruptionsAllowed: 1 }));
  await evict(pods, budgets, { dryRun: ["All"] });
  expect(pods.deleted).toEqual([{ dryRun: ["All"] }]);
  expect(pods.get("p")).toEqual(pod());
  expect((budgets.get("b") as PodDisruptionBudget).status?.disruptionsAllowed).toBe(1);
});

test("a pod that is free only as it was read is deleted at the version of its mark", async () => {
  const pods = new Objects(pod({ phase: "Pending" }));
  await evict(pods, new Objects());
  expect(pods.deleted).toEqual([{ preconditions: { resourceVersion: "10" } }]);
});

test("a pending pod that changes meanwhile is looked at again, up to a limit", async () => {
  const pods = new Objects(pod({ phase: "Pending" }));
  pods.conflicts = 3;
  await evict(pods, new Objects());
  expect(pods.deleted).toHaveLength(1);
  pods.conflicts = 100;
  expect((await refusal(evict(pods, new Objects()))).is("Conflict")).toBe(true);
  expect(pods.conflicts).toBe(80);
});

test("an unready pod that changes meanwhile is a 429, so that clients come back", async () => {
  const pods = new Objects(pod(UNREADY));
  pods.conflicts = 1;
  const met = new Objects(budget({ currentHealthy: 1, desiredHealthy: 1 }));
  expect((await refusal(evict(pods, met))).details).toEqual({
    causes: [
      {
        reason: "DisruptionBudget",
        message: "The disruption budget b is still being processed by the server.",
      },
    ],
    retryAfterSeconds: 10,
  });
});

test("an eviction must name its pod and may not break storage", async () => {
  const evictions = new Evictions({ pods: new Objects(), budgets: new Objects(), now: () => NOW });
  const place = { name: "p", namespace: "default", dryRun: [] };
  const refused = async (body: object): Promise<string> =>
    (await refusal(evictions.create(body, place))).message;
  expect(await refused({ metadata: { name: "q" } })).toBe(
    "name in URL does not match name in Eviction object",
  );
  expect(await refused({ metadata: { name: "p" } })).toBe('pods "p" not found');
  const deleteOptions = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
  expect(await refused({ metadata: { name: "p" }, deleteOptions })).toBe(
    'Eviction.policy "p" is invalid: deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: can not be set for pod eviction, try after removing the option',
  );
});
