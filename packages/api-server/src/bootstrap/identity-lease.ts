import { createHash } from "node:crypto";
import type { Timer } from "@homeostat/concurrency";
import {
  type DoorRequest,
  type KubernetesObject,
  microTimeOfMilliseconds,
  parseMicroTime,
  type RequestDoor,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { Lease } from "@homeostat/object-model/coordination-v1";
import type { Operation } from "@homeostat/store";
import { MASTERS } from "../authorization/rbac-authorizer.ts";
import type { Plane } from "../registry/plane.ts";
import { PlaneReader } from "../registry/plane-reader.ts";
import { objectKeyIn } from "../registry/storage-key.ts";
import { encodeAsWritten } from "./bootstrap.ts";
import { keyFields, writtenByServer } from "./server-written.ts";

export interface ServerIdentity {
  readonly address: string;
  readonly port: number;
  readonly hostname: string;
}

const PEER_ADDRESS = "kubernetes.io/peer-advertise-address";
const IDENTITY = "apiserver.kubernetes.io/identity";
const HOST = "kubernetes.io/hostname";
const COMPONENT = "kube-apiserver";
const NAMESPACE = "kube-system";
const LEASES = { group: "coordination.k8s.io", resource: "leases" };
const PATH = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;

const RENEW_PERIOD = 10_000;
const DURATION_SECONDS = 3600;
/** Others' leases are looked at with the first renewal, and after so many. */
const COLLECT_EVERY = 360;

/**
 * Says that the server is there, until it is not: a lease that is made anew by each start, renewed
 * every ten seconds, and deleted at the end. Those that servers have left behind on other hosts are
 * deleted when they have run out. After the first, it is written as by any client.
 */
export class IdentityLease {
  readonly #plane: Plane;
  readonly #door: RequestDoor;
  #identity: ServerIdentity;
  #name: string;
  /** Tells this run of the server from those before. */
  readonly #incarnation: string;
  #timer: Timer | undefined;
  #renewals = 0;

  constructor(plane: Plane, door: RequestDoor, identity: ServerIdentity) {
    this.#plane = plane;
    this.#door = door;
    this.#identity = identity;
    this.#name = nameOf(identity);
    this.#incarnation = plane.random.uuid();
  }

  /** What a commit at the start can bring already: a first lease, or the end of a server's before. */
  firstOperation(): Operation {
    const key = this.#key;
    return this.#plane.store.get(key) === undefined ? this.#create() : { type: "delete", key };
  }

  async begin(): Promise<void> {
    const { store } = this.#plane;
    if (store.get(this.#key) === undefined) await store.transaction([this.#create()]);
    this.#renewLater();
  }

  /** The server is elsewhere: the next renewal says so. */
  move(identity: ServerIdentity): void {
    this.#identity = identity;
    this.#name = nameOf(identity);
  }

  /** Does nothing where somebody has deleted it before. */
  async end(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#plane.store.transaction([{ type: "delete", key: this.#key }]);
  }

  get #key(): string {
    const kind = this.#plane.table.findStored(LEASES.group, LEASES.resource)!;
    return objectKeyIn(kind, NAMESPACE, this.#name);
  }

  #create(): Operation {
    const { table, clock, random } = this.#plane;
    const kind = table.findStored(LEASES.group, LEASES.resource)!;
    const now = timeOfMilliseconds(clock.now());
    const fields = {
      "f:metadata": {
        "f:annotations": keyFields(PEER_ADDRESS),
        "f:labels": keyFields(IDENTITY, HOST),
      },
      "f:spec": { "f:holderIdentity": {}, "f:leaseDurationSeconds": {}, "f:renewTime": {} },
    };
    const lease = this.#renewed({ spec: {} });
    lease.metadata = {
      ...lease.metadata,
      creationTimestamp: now,
      uid: random.uuid(),
      managedFields: [writtenByServer({ apiVersion: "coordination.k8s.io/v1", now, fields })],
    };
    return { type: "create", key: this.#key, value: encodeAsWritten(kind, lease) };
  }

  /** What it has to say now, in what it may say beside that. */
  #renewed({ metadata = {}, spec }: Partial<Lease>): Lease {
    const { address, port, hostname } = this.#identity;
    return {
      metadata: {
        ...metadata,
        name: this.#name,
        namespace: NAMESPACE,
        labels: { ...metadata.labels, [IDENTITY]: COMPONENT, [HOST]: hostname },
        annotations: { ...metadata.annotations, [PEER_ADDRESS]: `${address}:${port}` },
      },
      spec: {
        ...spec,
        holderIdentity: `${this.#name}_${this.#incarnation}`,
        leaseDurationSeconds: DURATION_SECONDS,
        renewTime: microTimeOfMilliseconds(this.#plane.clock.now()),
      },
    };
  }

  #renewLater(): void {
    this.#timer = this.#plane.clock.setTimer(RENEW_PERIOD, () => {
      void this.#renew()
        // A store that cannot be written to now: the next time is soon.
        .catch(() => undefined)
        .then(() => {
          if (this.#timer !== undefined) this.#renewLater();
        });
    });
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    const reader = new PlaneReader(this.#plane);
    const found = reader.get(LEASES, this.#name, NAMESPACE) as Lease | undefined;
    await (found === undefined
      ? this.#send("POST", PATH, this.#renewed({ spec: {} }))
      : this.#send("PUT", `${PATH}/${this.#name}`, this.#renewed(found)));
    if (this.#renewals++ % COLLECT_EVERY === 0) await this.#collect(reader);
  }

  async #collect(reader: PlaneReader): Promise<void> {
    const now = BigInt(Math.floor(this.#plane.clock.now())) * 1_000_000n;
    for (const each of reader.list(LEASES, NAMESPACE)) {
      const { metadata, spec } = each as Lease;
      if (metadata.labels?.[IDENTITY] !== COMPONENT) continue;
      const { renewTime, leaseDurationSeconds } = spec ?? {};
      const isGood =
        renewTime !== undefined &&
        leaseDurationSeconds !== undefined &&
        parseMicroTime(renewTime) + BigInt(leaseDurationSeconds) * 1_000_000_000n >= now;
      if (!isGood) await this.#send("DELETE", `${PATH}/${metadata.name}`);
    }
  }

  async #send(
    method: DoorRequest["method"],
    path: string,
    lease?: KubernetesObject,
  ): Promise<void> {
    await this.#door.send({
      method,
      path,
      want: "bytes",
      user: { username: "system:apiserver", groups: [MASTERS, "system:authenticated"] },
      headers: { "user-agent": COMPONENT },
      ...(lease && { body: { kind: "value", value: lease } }),
    });
  }
}

const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";

/** With half of a hash in base 32 of host and component, as kube-apiserver makes it. */
function nameOf({ hostname }: ServerIdentity): string {
  const sum = createHash("sha256").update(withLength(hostname)).update(withLength(COMPONENT));
  const hash = sum.digest().subarray(0, 16);
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.padEnd(130, "0").match(/.{5}/g) ?? [];
  return `apiserver-${groups.map((group) => DIGITS[Number.parseInt(group, 2)]).join("")}`;
}

/** A text behind its length in two bytes, so that two of them are no other two. */
function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.from([bytes.length >> 8, bytes.length & 0xff, ...bytes]);
}
