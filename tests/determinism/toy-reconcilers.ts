import { sleep } from "@homeostat/concurrency";
import type { KeyValue, WriteResult } from "@homeostat/store";
import type { Reconciler } from "./toy-controller.ts";

/**
 * The toy plane's kinds: `app/NAME` holds how many pods the user wants, `pod/NAME/N` is "pending" or
 * "running", `status/NAME` tells how many run, `event/NAME/N` tells of a start and goes away.
 */
export function textOf(state: KeyValue): string {
  return Buffer.from(state.value).toString();
}

function isDone(result: WriteResult): "done" | "again" {
  return result.outcome === "refused" ? "again" : "done";
}

/** As many pods as the application wants, and none without an application. */
export const replicas: Reconciler = {
  name: "replicas",
  async reconcile(app, { store, clock, random }) {
    const wanted = store.get(`app/${app}`);
    const count = wanted === undefined ? 0 : Number(textOf(wanted));
    const pods = store.list({ prefix: `pod/${app}/` }).items;
    // Slow on purpose: what was read is often old by now.
    await sleep(clock, random.below(15));
    const writes: Promise<WriteResult>[] = [];
    for (let number = 0; number < count; number += 1) {
      const key = `pod/${app}/${number}`;
      if (!pods.some((pod) => pod.key === key)) {
        writes.push(store.create(key, Buffer.from("pending")));
      }
    }
    for (const { key, revision } of pods) {
      const number = Number(key.split("/")[2]);
      if (number >= count) writes.push(store.delete(key, { expectedRevision: revision }));
    }
    const outcomes = (await Promise.all(writes)).map(isDone);
    return outcomes.includes("again") ? "again" : "done";
  },
};

/** Pods that are pending become running after a while, with an event that lives for 3 seconds. */
export const starter: Reconciler = {
  name: "starter",
  async reconcile(app, { store, clock, random }) {
    for (;;) {
      const pods = store.list({ prefix: `pod/${app}/` }).items;
      const pod = pods.find((each) => textOf(each) === "pending");
      if (pod === undefined) return "done";
      await sleep(clock, 10 + random.below(40));
      const { key, revision: expectedRevision } = pod;
      const event = `event/${app}/${random.uuid()}`;
      const result = await store.transaction([
        { type: "update", key, value: Buffer.from("running"), expectedRevision },
        { type: "create", key: event, value: Buffer.from(`started ${key}`), timeToLive: 3_000 },
      ]);
      if (result.outcome === "refused") return "again";
    }
  },
};

/** Tells how many pods run, as long as there is an application. */
export const status: Reconciler = {
  name: "status",
  async reconcile(app, { store }) {
    const key = `status/${app}`;
    const old = store.get(key);
    const expectedRevision = old?.revision;
    if (store.get(`app/${app}`) === undefined) {
      return old === undefined ? "done" : isDone(await store.delete(key, { expectedRevision }));
    }
    const pods = store.list({ prefix: `pod/${app}/` }).items;
    const value = Buffer.from(String(pods.filter((pod) => textOf(pod) === "running").length));
    if (old === undefined) return isDone(await store.create(key, value));
    return isDone(await store.update(key, value, { expectedRevision }));
  },
};
