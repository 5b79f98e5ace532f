import { goQuote, type RequestDoor, timeOfMilliseconds } from "@homeostat/object-model";
import type {
  FlowSchema,
  FlowSchemaCondition,
  PriorityLevelConfiguration,
} from "@homeostat/object-model/flowcontrol-v1";
import { MASTERS } from "../authorization/rbac-authorizer.ts";
import type { Plane } from "../registry/plane.ts";
import { PlaneReader } from "../registry/plane-reader.ts";

const GROUP = "flowcontrol.apiserver.k8s.io";
const SCHEMAS = { group: GROUP, resource: "flowschemas" };
const LEVELS = { group: GROUP, resource: "prioritylevelconfigurations" };
const MANAGER = "api-priority-and-fairness-config-consumer-v1";

const SERVER = { username: "system:apiserver", groups: [MASTERS, "system:authenticated"] };

/**
 * Says in each FlowSchema whether the level that it names exists: the condition Dangling. Follows
 * both kinds, and writes a turn after the commit that made it necessary, as any client would.
 */
export class FlowSchemaStatus implements Disposable {
  readonly #plane: Plane;
  readonly #door: RequestDoor;
  readonly #reader: PlaneReader;
  readonly #stops: (() => void)[] = [];
  #isAsked = false;
  #isOver = false;

  constructor(plane: Plane, door: RequestDoor) {
    this.#plane = plane;
    this.#door = door;
    this.#reader = new PlaneReader(plane);
  }

  /** `isCurrent`: whoever wrote what the store holds has said it already. */
  start({ isCurrent }: { readonly isCurrent: boolean }): void {
    const { store, table } = this.#plane;
    for (const { group, resource } of [SCHEMAS, LEVELS]) {
      const { prefix } = table.findStored(group, resource)!;
      this.#stops.push(store.observe(prefix, () => this.#ask()));
    }
    if (!isCurrent) this.#ask();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const stop of this.#stops.splice(0)) stop();
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#plane.clock.endOfTurn(() => {
      this.#isAsked = false;
      void this.#tellAll();
    });
  }

  async #tellAll(): Promise<void> {
    if (this.#isOver) return;
    const levels = new Set<string>();
    for (const each of this.#reader.list(LEVELS)) {
      levels.add((each as PriorityLevelConfiguration).metadata.name ?? "");
    }
    for (const each of this.#reader.list(SCHEMAS)) {
      const condition = this.#missing(each as FlowSchema, levels);
      if (condition === undefined) continue;
      // What refuses it, or is not there any more, brings us here again when it changes.
      await this.#apply(each.metadata?.name ?? "", condition).catch(() => undefined);
    }
  }

  /** What a schema should say, and does not. */
  #missing(schema: FlowSchema, levels: ReadonlySet<string>): FlowSchemaCondition | undefined {
    const level = schema.spec?.priorityLevelConfiguration.name ?? "";
    const exists = levels.has(level);
    const names = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)}`;
    const status = exists ? "False" : "True";
    const reason = exists ? "Found" : "NotFound";
    const message = exists ? `${names} and it exists` : `${names} but there is no such object`;
    const said = schema.status?.conditions?.find(({ type }) => type === "Dangling");
    if (said?.status === status && said.reason === reason && said.message === message) {
      return undefined;
    }
    const lastTransitionTime = timeOfMilliseconds(this.#plane.clock.now());
    return { type: "Dangling", status, lastTransitionTime, reason, message };
  }

  async #apply(name: string, condition: FlowSchemaCondition): Promise<void> {
    const value = {
      kind: "FlowSchema",
      apiVersion: `${GROUP}/v1`,
      metadata: { name },
      status: { conditions: [condition] },
    };
    await this.#door.send({
      method: "PATCH",
      path: `/apis/${GROUP}/v1/flowschemas/${name}/status`,
      query: { fieldManager: MANAGER, force: "true" },
      headers: { "content-type": "application/apply-patch+yaml" },
      body: { kind: "value", value },
      user: SERVER,
      want: "bytes",
    });
  }
}
