import { timingSafeEqual } from "node:crypto";
import type { Timer } from "@homeostat/concurrency";
import { goQuote, type KubernetesObject, ownKey, parseTime } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { Secret, ServiceAccount } from "@homeostat/object-model/core-v1";
import { PlaneReader } from "../registry/plane-reader.ts";
import type { CredentialLife } from "./credential-life.ts";
import { type AccountClaims, accountGroups, usernameOf } from "./service-account-claims.ts";
import type { TokenPlane } from "./token-plane.ts";

/** Clocks differ: so long a token is good after its end and before its beginning. */
const LEEWAY = 60_000;
/** Wall time may be set: so often it is looked at, whatever the timers say. */
const MAX_TIMER = 60_000;
const INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";
const AUTO_GENERATED =
  "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.";

export interface VerifiedTokenOptions {
  readonly plane: TokenPlane;
  readonly claims: AccountClaims;
  readonly audiences: readonly string[];
  /** Milliseconds since 1970; undefined for no limit. */
  readonly notBefore: number | undefined;
  readonly issuedAt: number | undefined;
  readonly expiresAt: number | undefined;
  readonly id: string;
  /** The token itself, of one that is kept in a secret and must be what that holds. */
  readonly legacy: string | undefined;
}

/**
 * A token whose signature is right, for as long as it is remembered. Whether it is good depends on
 * time and on objects; that is looked up once, and again after `touch`, which its owner calls when
 * one of the objects changes.
 */
export class VerifiedToken implements CredentialLife {
  readonly user: UserInfo;
  readonly audiences: readonly string[];
  readonly claims: AccountClaims;
  readonly #options: VerifiedTokenOptions;
  readonly #objects: PlaneReader;
  readonly #listeners = new Set<() => void>();
  #timer: Timer | undefined;
  /** Until then nothing has to be looked up. 0: it is not known. */
  #goodUntil = 0;
  #warnings: readonly string[] = [];

  constructor(options: VerifiedTokenOptions) {
    this.#options = options;
    this.#objects = new PlaneReader(options.plane);
    this.claims = options.claims;
    this.audiences = options.audiences;
    this.user = userOf(options);
  }

  get isFollowed(): boolean {
    return this.#listeners.size > 0;
  }

  /** What its user is to be warned of. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** Why it is not good now; undefined when it is. */
  problem(): string | undefined {
    const now = this.#options.plane.clock.now();
    if (now < this.#goodUntil) return undefined;
    const found = this.#timeProblem(now) ?? this.#objectProblem(now);
    if (typeof found === "string") return found;
    this.#goodUntil = found;
    return undefined;
  }

  /** One of its objects has changed. */
  touch(): void {
    this.#goodUntil = 0;
    if (!this.isFollowed) return;
    this.#options.plane.clock.endOfTurn(() => this.#follow());
  }

  onEnd(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#timer === undefined) this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (!this.isFollowed) this.#stopTimer();
    };
  }

  [Symbol.dispose](): void {
    this.#listeners.clear();
    this.#stopTimer();
  }

  /** Ends everything that was opened with it when it is no good, or looks again in time. */
  #follow(): void {
    this.#stopTimer();
    if (!this.isFollowed) return;
    if (this.problem() === undefined) {
      const { clock } = this.#options.plane;
      const left = Math.min(this.#goodUntil - clock.now(), MAX_TIMER);
      this.#timer = clock.setTimer(left, () => this.#follow());
      this.#timer.unref();
      return;
    }
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  #stopTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #timeProblem(now: number): string | undefined {
    const { notBefore, issuedAt, expiresAt, legacy } = this.#options;
    if (legacy !== undefined) return undefined;
    if (notBefore !== undefined && now + LEEWAY < notBefore) {
      return "service account token is not valid yet";
    }
    if (expiresAt !== undefined && now - LEEWAY > expiresAt) {
      return "service account token has expired";
    }
    if (issuedAt !== undefined && now + LEEWAY < issuedAt) {
      return "service account token is issued in the future";
    }
    return undefined;
  }

  /** The problem, or until when there is none. */
  #objectProblem(now: number): string | number {
    if (this.#options.legacy !== undefined) return this.#legacyProblem(this.#options.legacy);
    const { namespace, account, secret, pod, node } = this.claims;
    const { expiresAt } = this.#options;
    let until = expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt + LEEWAY + 1;
    const found = this.#find("serviceaccounts", account.name, namespace);
    if (found === undefined) return `serviceaccounts ${goQuote(account.name)} not found`;
    if (uidOf(found) !== account.uid) {
      return `service account UID (${uidOf(found)}) does not match claim (${account.uid})`;
    }
    until = Math.min(until, endOf(found));
    if (now >= until) return `service account ${namespace}/${account.name} has been deleted`;
    const bound = [
      { what: "Secret", plural: "secrets", ref: secret, namespace },
      { what: "Pod", plural: "pods", ref: pod, namespace },
      // The node of a pod is only told.
      { what: "Node", plural: "nodes", ref: pod ? undefined : node, namespace: "" },
    ];
    for (const { what, plural, ref, namespace: place } of bound) {
      if (ref === undefined) continue;
      const object = this.#find(plural, ref.name, place);
      if (object === undefined) return INVALIDATED;
      if (uidOf(object) !== ref.uid) {
        const word = what.toLowerCase();
        return `${word} UID (${uidOf(object)}) does not match service account ${word} ref claim (${ref.uid})`;
      }
      until = Math.min(until, endOf(object));
      if (now >= until) return INVALIDATED;
    }
    return until;
  }

  #legacyProblem(token: string): string | number {
    const { namespace, account } = this.claims;
    const name = this.claims.secret!.name;
    const secret = this.#find("secrets", name, namespace) as Secret | undefined;
    if (secret === undefined || secret.metadata?.deletionTimestamp) {
      return "Token has been invalidated";
    }
    const kept = Buffer.from(ownKey(secret.data, "token") ?? "", "base64");
    const given = Buffer.from(token);
    if (kept.length !== given.length || !timingSafeEqual(kept, given)) {
      return "Token does not match server's copy";
    }
    const found = this.#find("serviceaccounts", account.name, namespace);
    if (found === undefined) return `serviceaccounts ${goQuote(account.name)} not found`;
    if (found.metadata?.deletionTimestamp) {
      return `ServiceAccount ${namespace}/${account.name} has been deleted`;
    }
    if (uidOf(found) !== account.uid) {
      return `ServiceAccount UID (${uidOf(found)}) does not match claim (${account.uid})`;
    }
    if (ownKey(secret.metadata?.labels, INVALID_SINCE)) {
      const owner = `${namespace}/${account.name}`;
      return `the token in secret ${namespace}/${name} for service account ${owner} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${INVALID_SINCE}' label from the secret to temporarily allow use of this token`;
    }
    const { secrets } = found as ServiceAccount;
    this.#warnings = secrets?.some((each) => each.name === name) === true ? [AUTO_GENERATED] : [];
    return Number.POSITIVE_INFINITY;
  }

  #find(resource: string, name: string, namespace: string): KubernetesObject | undefined {
    return this.#objects.get({ group: "", resource }, name, namespace);
  }
}

const INVALIDATED = "service account token has been invalidated";

function userOf({ claims, id }: VerifiedTokenOptions): UserInfo {
  const { namespace, account, pod, node } = claims;
  const extra: Record<string, string[]> = {};
  if (id !== "") extra["authentication.kubernetes.io/credential-id"] = [`JTI=${id}`];
  if (node !== undefined && node.name !== "") {
    extra["authentication.kubernetes.io/node-name"] = [node.name];
    if (node.uid !== "") extra["authentication.kubernetes.io/node-uid"] = [node.uid];
  }
  if (pod !== undefined && pod.name !== "" && pod.uid !== "") {
    extra["authentication.kubernetes.io/pod-name"] = [pod.name];
    extra["authentication.kubernetes.io/pod-uid"] = [pod.uid];
  }
  return {
    username: usernameOf(namespace, account.name),
    uid: account.uid,
    groups: [...accountGroups(namespace), "system:authenticated"],
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function uidOf(object: KubernetesObject): string {
  return object.metadata?.uid ?? "";
}

/** When the deletion of an object counts; never for one that is not deleted. */
function endOf(object: KubernetesObject): number {
  const deleted = object.metadata?.deletionTimestamp;
  if (!deleted) return Number.POSITIVE_INFINITY;
  return Number(parseTime(deleted) / 1_000_000n) + LEEWAY + 1;
}
