import {
  ApiError,
  FieldError,
  FieldPath,
  type KubernetesObject,
  parseApiVersion,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { BoundObjectReference, TokenRequest } from "@homeostat/object-model/authentication-v1";
import type { Pod } from "@homeostat/object-model/core-v1";
import type { Plane } from "../registry/plane.ts";
import { PlaneReader } from "../registry/plane-reader.ts";
import type { AuthenticationOptions } from "./authentication-options.ts";
import type { Authenticator } from "./authenticator.ts";
import { printToken } from "./json-web-token.ts";
import { type AccountClaims, type ObjectRef, printClaims } from "./service-account-claims.ts";

const KIND = { group: "authentication.k8s.io", kind: "TokenRequest" };
const RESOURCE = { group: "authentication.k8s.io", resource: "TokenRequest" };
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
/** What kubelets ask for by themselves: an hour, and a mark to tell it by. */
const PROJECTED_SECONDS = 3607;
const YEAR_SECONDS = 365 * 24 * 3600;

/** The account that a token is asked for. */
export interface TokenTarget {
  readonly namespace: string;
  readonly name: string;
  /** Called with the request when it is checked and complete. */
  readonly admit: (request: TokenRequest) => Promise<TokenRequest>;
  readonly warn: (text: string) => void;
  /** Told by which name the token will be known. */
  readonly onIssued: (credentialId: string) => void;
}

/** Tokens for service accounts: `create` of `serviceaccounts/token`. */
export class TokenRequests {
  readonly #plane: Plane;
  readonly #authenticator: Authenticator;
  readonly #options: AuthenticationOptions;
  readonly #objects: PlaneReader;

  constructor(plane: Plane) {
    this.#plane = plane;
    this.#authenticator = plane.authenticator;
    this.#options = plane.authenticator.options;
    this.#objects = new PlaneReader(plane);
  }

  /** `given` has its defaults. The answer is it with a token. */
  async create(given: TokenRequest, target: TokenTarget): Promise<TokenRequest> {
    const { namespace, name } = target;
    checkPlace(given, target);
    const account = this.#get("serviceaccounts", name, namespace);
    const uid = account.metadata?.uid ?? "";
    checkUid(given, { name, uid });
    const now = this.#plane.clock.now();
    const audiences = given.spec?.audiences ?? [];
    const complete: TokenRequest = {
      ...given,
      metadata: {
        ...given.metadata,
        name,
        namespace,
        uid,
        creationTimestamp: timeOfMilliseconds(now),
      },
      spec: {
        ...given.spec,
        audiences: audiences.length > 0 ? audiences : [...this.#authenticator.audiences],
      },
      status: { token: "", expirationTimestamp: null as unknown as string },
    };
    checkSeconds(complete);
    const request = await target.admit(complete);
    const bound = this.#bind(request.spec?.boundObjectRef, target);
    return this.#sign(request, { ...bound, namespace, account: { name, uid } }, { now, target });
  }

  #sign(
    request: TokenRequest,
    claims: AccountClaims,
    { now, target }: { readonly now: number; readonly target: TokenTarget },
  ): TokenRequest {
    const spec = { audiences: [], ...request.spec };
    const seconds = this.#secondsFor(spec.expirationSeconds ?? PROJECTED_SECONDS - 7, target);
    const isExtended =
      this.#options.extendTokens !== false &&
      claims.pod !== undefined &&
      seconds === PROJECTED_SECONDS &&
      spec.audiences.every((each) => this.#authenticator.audiences.includes(each));
    const issuedAt = Math.floor(now / 1000);
    const lifeSeconds = isExtended
      ? Math.min(YEAR_SECONDS, this.#options.maxTokenSeconds ?? YEAR_SECONDS)
      : seconds;
    const { signer } = this.#authenticator.keys;
    const id = this.#plane.random.uuid();
    target.onIssued(`JTI=${id}`);
    const token = printToken(
      { alg: signer.algorithm, kid: signer.keyId },
      printClaims({
        ...claims,
        issuer: this.#authenticator.issuers[0]!,
        audiences: spec.audiences,
        id,
        issuedAt,
        expiresAt: issuedAt + lifeSeconds,
        warnAfter: isExtended ? issuedAt + seconds : undefined,
      }),
      (bytes) => signer.sign(bytes),
    );
    return {
      ...request,
      spec: { ...spec, expirationSeconds: seconds },
      status: { token, expirationTimestamp: timeOfMilliseconds(now + seconds * 1000) },
    };
  }

  #secondsFor(asked: number, { warn }: TokenTarget): number {
    const { maxTokenSeconds: most = asked } = this.#options;
    if (asked <= most) return asked;
    warn(`requested expiration of ${asked} seconds shortened to ${most} seconds`);
    return most;
  }

  /** What else has to be alive for the token to be good. */
  #bind(
    reference: BoundObjectReference | null | undefined,
    { namespace, name }: TokenTarget,
  ): Pick<AccountClaims, "pod" | "secret" | "node"> {
    if (!reference) return {};
    const { kind = "", apiVersion = "", name: wanted = "" } = reference;
    const { group, version } = groupVersionOf(apiVersion);
    const plural = group === "" ? BINDABLE[kind] : undefined;
    if (plural === undefined) {
      const place = group === "" ? `/${version}` : `${group}/${version}`;
      throw ApiError.badRequest(`cannot bind token to object of type ${place}, Kind=${kind}`);
    }
    const object = this.#get(plural, wanted, kind === "Node" ? "" : namespace);
    const pod = kind === "Pod" ? (object as Pod) : undefined;
    if (pod && (pod.spec?.serviceAccountName ?? "") !== name) {
      throw ApiError.badRequest(
        `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
      );
    }
    const ref = refOf(object);
    if (reference.uid && reference.uid !== ref.uid) {
      const why = `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
      throw ApiError.conflict({ group, resource: kind }, wanted, why);
    }
    if (kind === "Secret") return { secret: ref };
    if (kind === "Node") return { node: ref };
    return { pod: ref, node: this.#nodeOf(pod!) };
  }

  /** Where a pod runs, told along; a node that is gone is told by its name. */
  #nodeOf({ spec }: Pod): ObjectRef | undefined {
    if (!spec?.nodeName) return undefined;
    const node = this.#objects.get({ group: "", resource: "nodes" }, spec.nodeName);
    return node === undefined ? { name: spec.nodeName, uid: "" } : refOf(node);
  }

  #get(resource: string, name: string, namespace: string): KubernetesObject {
    // A name with a slash is nobody's, and part of a key.
    const found = name.includes("/")
      ? undefined
      : this.#objects.get({ group: "", resource }, name, namespace);
    if (found === undefined) throw ApiError.notFound({ group: "", resource }, name);
    return found;
  }
}

const BINDABLE: Readonly<Record<string, string>> = {
  Pod: "pods",
  Node: "nodes",
  Secret: "secrets",
};

function refOf({ metadata }: KubernetesObject): ObjectRef {
  return { name: metadata?.name ?? "", uid: metadata?.uid ?? "" };
}

/** A text that is none names a kind without a group. */
function groupVersionOf(apiVersion: string): { group: string; version: string } {
  try {
    return parseApiVersion(apiVersion);
  } catch {
    return { group: "", version: "" };
  }
}

function checkPlace({ metadata }: TokenRequest, { name, namespace }: TokenTarget): void {
  const at = FieldPath.of("metadata");
  if (metadata?.name && metadata.name !== name) {
    const why = "must match the service account name if specified";
    throw ApiError.invalid(KIND, name, [FieldError.invalid(at.child("name"), metadata.name, why)]);
  }
  if (metadata?.namespace && metadata.namespace !== namespace) {
    const why = "must match the service account namespace if specified";
    const error = FieldError.invalid(at.child("namespace"), metadata.namespace, why);
    throw ApiError.invalid(KIND, name, [error]);
  }
}

function checkUid({ metadata }: TokenRequest, { name, uid }: ObjectRef): void {
  if (!metadata?.uid || metadata.uid === uid) return;
  const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
  throw ApiError.conflict(RESOURCE, name, why);
}

function checkSeconds({ spec }: TokenRequest): void {
  const seconds = spec?.expirationSeconds ?? 0;
  const at = FieldPath.of("spec").child("expirationSeconds");
  const errors: FieldError[] = [];
  if (seconds < MIN_SECONDS) {
    const why = "may not specify a duration less than 10 minutes";
    errors.push(FieldError.invalid(at, seconds, why));
  }
  if (seconds > MAX_SECONDS) {
    const why = "may not specify a duration larger than 2^32 seconds";
    errors.push(FieldError.invalid(at, seconds, why));
  }
  if (errors.length > 0) throw ApiError.invalid(KIND, "", errors);
}
