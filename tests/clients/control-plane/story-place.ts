import { realClock, sleep } from "@homeostat/concurrency";
import { type ApiClient, type ApiObject, ApiRefusal } from "../../kubelet/api-client.ts";

/** A field of an object that somebody else keeps up to date. */
export type Field =
  | string
  | number
  | boolean
  | undefined
  | null
  | Field[]
  | { [key: string]: Field };

/** Something that should have come about did not. */
class StoryError extends Error {
  override readonly name = "StoryError";
  readonly code = "story-failed";
}

const POLL_MILLISECONDS = 250;
const PATIENCE_MILLISECONDS = 120_000;

const GROUPS: Readonly<Record<string, string>> = {
  deployments: "/apis/apps/v1",
  replicasets: "/apis/apps/v1",
  statefulsets: "/apis/apps/v1",
  daemonsets: "/apis/apps/v1",
  jobs: "/apis/batch/v1",
  cronjobs: "/apis/batch/v1",
  endpointslices: "/apis/discovery.k8s.io/v1",
  poddisruptionbudgets: "/apis/policy/v1",
  horizontalpodautoscalers: "/apis/autoscaling/v2",
  widgets: "/apis/control.example.com/v1",
};

/** A namespace of a story's own, and the words that stories are written in. */
export class StoryPlace {
  readonly namespace: string;
  readonly api: ApiClient;

  constructor(api: ApiClient, namespace: string) {
    this.api = api;
    this.namespace = namespace;
  }

  /** Makes the namespace, and waits for what others put into each. */
  async open(labels: Readonly<Record<string, string>> = {}): Promise<void> {
    const body = { metadata: { name: this.namespace, labels } };
    await this.api.ask("POST", "/api/v1/namespaces", { body });
    await this.until("serviceaccounts/default", () => true);
    await this.until("configmaps/kube-root-ca.crt", ({ data }) => has(data, "ca.crt"));
  }

  /** Deletes the namespace, and waits until nothing of it is left. */
  async close(): Promise<void> {
    const path = `/api/v1/namespaces/${this.namespace}`;
    await this.api.ask("DELETE", path);
    await this.untilGone(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const path = `/api/v1/namespaces/${this.namespace}`;
    const { status } = await this.api.send("GET", path);
    if (status === 200) await this.close();
  }

  /** `pods/x` in this namespace; a path is left as it is. */
  path(place: string): string {
    if (place.startsWith("/")) return place;
    const group = GROUPS[place.split(/[/?]/)[0] ?? ""] ?? "/api/v1";
    return `${group}/namespaces/${this.namespace}/${place}`;
  }

  create(resource: string, body: object): Promise<ApiObject> {
    return this.api.ask("POST", this.path(resource), { body });
  }

  patch(place: string, body: object): Promise<ApiObject> {
    const type = "application/merge-patch+json";
    return this.api.ask("PATCH", this.path(place), { body, type });
  }

  async delete(place: string, propagationPolicy = "Background"): Promise<void> {
    await this.api.ask("DELETE", this.path(place), { body: { propagationPolicy } });
  }

  async list(resource: string): Promise<readonly ApiObject[]> {
    return (await this.api.list(this.path(resource))).items;
  }

  /** Waits until the object is there and as wanted. */
  async until(place: string, isSo: (object: Record<string, Field>) => boolean): Promise<ApiObject> {
    let seen = "nothing";
    const found = await this.#within(async () => {
      const { status, text } = await this.api.send("GET", this.path(place));
      if (status === 404) return undefined;
      if (status !== 200) throw new ApiRefusal(`GET ${place}`, { status, text, headers: {} });
      seen = text;
      const object = JSON.parse(text) as ApiObject;
      return isSo(object as unknown as Record<string, Field>) ? object : undefined;
    });
    if (found === undefined) {
      throw new StoryError(
        `${place} did not become ${isSo.toString()}; it is ${seen.slice(0, 3000)}`,
      );
    }
    return found;
  }

  /** Waits until as many as wanted are listed that are as wanted. */
  async untilCount(
    resource: string,
    wanted: number,
    isCounted: (object: Record<string, Field>) => boolean = () => true,
  ): Promise<void> {
    let count = -1;
    const found = await this.#within(async () => {
      const items = (await this.list(resource)) as unknown as Record<string, Field>[];
      count = items.filter(isCounted).length;
      return count === wanted ? true : undefined;
    });
    if (found === undefined) {
      throw new StoryError(
        `${resource}: ${count} are ${isCounted.toString()}; there should be ${wanted}`,
      );
    }
  }

  async untilGone(place: string): Promise<void> {
    let seen = "";
    const found = await this.#within(async () => {
      const { status, text } = await this.api.send("GET", this.path(place));
      seen = text;
      return status === 404 ? true : undefined;
    });
    if (found === undefined) throw new StoryError(`${place} is not gone: ${seen.slice(0, 3000)}`);
  }

  async #within<T>(attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    const end = realClock.monotonic() + PATIENCE_MILLISECONDS;
    for (;;) {
      const found = await attempt();
      if (found !== undefined || realClock.monotonic() > end) return found;
      await sleep(realClock, POLL_MILLISECONDS);
    }
  }
}

/** Whether the object has the key. */
export function has(object: Field, key: string): boolean {
  return typeof object === "object" && object !== null && Object.hasOwn(object, key);
}

/** The field at the keys, each read only where it is there. */
export function at(object: Field, ...keys: readonly string[]): Field {
  let found = object;
  for (const key of keys) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as { [key: string]: Field })[key];
  }
  return found;
}

/** The text at the keys; empty where there is none. */
export function textAt(object: unknown, ...keys: readonly string[]): string {
  const found = at(object as Field, ...keys);
  return typeof found === "string" ? found : "";
}
