import type { SeededRandom } from "@homeostat/concurrency";
import type { Violation } from "../store/violation.ts";
import { type ApiAnswer, type ApiBody, type ApiClient, UnansweredError } from "./api-client.ts";
import type { Ledger, ObjectState } from "./ledger.ts";

export const namespace = "torture";
export const collection = `/api/v1/namespaces/${namespace}/configmaps`;
/** The label by which one watcher chooses. */
export const chosenColour = "red";

const objectsPerWriter = 6;

export interface WritersOptions {
  readonly client: ApiClient;
  readonly ledger: Ledger;
  readonly random: SeededRandom;
  /** Makes marks unique over the lives. */
  readonly life: number;
  readonly report: (violations: readonly Violation[]) => void;
}

/** Whether the object carries the label: the name decides, so that it never changes. */
export function isChosen(name: string): boolean {
  return name.endsWith("-0") || name.endsWith("-3");
}

/** Clients that create, update and delete, each its own objects, one request at a time. */
export class Writers {
  readonly #options: WritersOptions;
  #isStopped = false;
  #marks = 0;

  constructor(options: WritersOptions) {
    this.#options = options;
  }

  /** Writes until the connection is lost or `stop` is called. */
  async run(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, index) => this.#writer(index)));
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #writer(number: number): Promise<void> {
    const random = this.#options.random.fork(number);
    while (!this.#isStopped) {
      const name = `object-${number}-${random.below(objectsPerWriter)}`;
      try {
        await this.#write(name, random.below(100));
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
        return;
      }
    }
  }

  async #write(name: string, chance: number): Promise<void> {
    const state = this.#options.ledger.stateOf(name);
    if (state === undefined) return this.#create(name);
    if (chance < 20) return this.#delete(name, state);
    if (chance < 28) return this.#createAgain(name);
    if (chance < 36) return this.#updateStale(name, state);
    return this.#update(name, state);
  }

  async #create(name: string): Promise<void> {
    const { client, ledger } = this.#options;
    const mark = this.#newMark();
    ledger.issue(name, { type: "create", mark });
    this.#settle(name, await client.send("POST", collection, bodyOf({ name, mark })));
  }

  async #update(name: string, { version }: ObjectState): Promise<void> {
    const { client, ledger } = this.#options;
    const mark = this.#newMark();
    ledger.issue(name, { type: "update", mark });
    const body = bodyOf({ name, mark, version });
    this.#settle(name, await client.send("PUT", `${collection}/${name}`, body));
  }

  async #delete(name: string, { uid }: ObjectState): Promise<void> {
    const { client, ledger } = this.#options;
    ledger.issue(name, { type: "delete" });
    const options = { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid } };
    this.#settle(name, await client.send("DELETE", `${collection}/${name}`, options));
  }

  /** Must be refused: it exists. */
  async #createAgain(name: string): Promise<void> {
    const body = bodyOf({ name, mark: this.#newMark() });
    this.#expectConflict(name, await this.#options.client.send("POST", collection, body));
  }

  /** Must be refused: it was written since. */
  async #updateStale(name: string, { version }: ObjectState): Promise<void> {
    const body = bodyOf({ name, mark: this.#newMark(), version: version - 1 });
    const answer = await this.#options.client.send("PUT", `${collection}/${name}`, body);
    this.#expectConflict(name, answer);
  }

  #settle(name: string, answer: ApiAnswer): void {
    const { ledger, report } = this.#options;
    if (answer.status === 200 || answer.status === 201) {
      // A deletion is answered with a Status, which has no version.
      const isObject = answer.body.metadata?.resourceVersion !== undefined;
      report(ledger.answered(name, isObject ? stateOf(answer.body) : undefined));
      return;
    }
    // A server that is going down may say so, and may have written before.
    if (answer.status >= 500 || answer.status === 429) throw new UnansweredError("going down");
    ledger.refused(name);
    const detail = `${name}: expected a success, got ${answer.status} ${answer.body.message}`;
    report([{ kind: "wrong-answer", detail }]);
  }

  #expectConflict(name: string, { status, body }: ApiAnswer): void {
    if (status === 409 || status >= 500 || status === 429) return;
    const detail = `${name}: expected 409, got ${status} ${body.message ?? ""}`;
    this.#options.report([{ kind: "wrong-answer", detail }]);
  }

  #newMark(): string {
    this.#marks += 1;
    return `${this.#options.life}.${this.#marks}`;
  }
}

export function stateOf(body: ApiBody): ObjectState {
  return {
    version: Number(body.metadata?.resourceVersion),
    uid: body.metadata?.uid ?? "",
    mark: body.data?.["mark"] ?? "",
  };
}

function bodyOf(object: { name: string; mark: string; version?: number }): unknown {
  const { name, mark, version } = object;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      labels: { colour: isChosen(name) ? chosenColour : "blue" },
      ...(version !== undefined && { resourceVersion: String(version) }),
    },
    data: { mark, filler: mark.padEnd(300, "x") },
  };
}
