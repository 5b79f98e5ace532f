import { hash } from "node:crypto";
import { ApiError, goQuote } from "@homeostat/object-model";
import type { StoredKind } from "../registry/served-resource.ts";
import { objectKeyIn } from "../registry/storage-key.ts";
import {
  audiencesOf,
  parseToken,
  secondsOf,
  textOf,
  type UnverifiedToken,
} from "./json-web-token.ts";
import { type AccountClaims, readClaims, readLegacyClaims } from "./service-account-claims.ts";
import type { TokenKeys } from "./token-keys.ts";
import type { TokenPlane } from "./token-plane.ts";
import { VerifiedToken } from "./verified-token.ts";

const LEGACY_ISSUER = "kubernetes/serviceaccount";
/** Beyond so many, those that nothing was opened with are forgotten, oldest first. */
const MAX_TOKENS = 4096;

export interface ServiceAccountTokensOptions {
  /** Whose tokens are believed; the first one signs. */
  readonly issuers: readonly string[];
  /** Whom tokens of no audience are for. */
  readonly audiences: readonly string[];
  readonly keys: () => TokenKeys;
}

/** What a token is worth: its user, or why not. `undefined`: it is no token of service accounts. */
export type TokenJudgement =
  | { readonly token: VerifiedToken; readonly audiences: readonly string[] }
  | { readonly problem: string };

/**
 * Tokens of service accounts, checked on every use: signature, issuer, audience, time, and that the
 * account and what the token is bound to are still the same. The second use costs one hash: objects
 * that a remembered token depends on are observed.
 */
export class ServiceAccountTokens implements Disposable {
  readonly #plane: TokenPlane;
  readonly #options: ServiceAccountTokensOptions;
  /** By a hash: what is remembered must not be of use to who reads it. */
  readonly #known = new Map<string, VerifiedToken>();
  /** Tokens by the storage keys of what they depend on. */
  readonly #dependents = new Map<string, Set<VerifiedToken>>();
  readonly #observed = new Map<StoredKind, () => void>();

  constructor(plane: TokenPlane, options: ServiceAccountTokensOptions) {
    this.#plane = plane;
    this.#options = options;
  }

  judge(token: string, wanted: readonly string[]): TokenJudgement | undefined {
    const digest = hash("sha256", token, "base64url");
    const verified = this.#known.get(digest) ?? this.#verify(token, digest);
    if (!(verified instanceof VerifiedToken)) return verified;
    const audiences = wanted.filter((each) => verified.audiences.includes(each));
    if (audiences.length === 0 && this.#options.audiences.length > 0) {
      const given = quoteAll(verified.audiences);
      const target = quoteAll(wanted);
      return { problem: `token audiences ${given} is invalid for the target audiences ${target}` };
    }
    const problem = verified.problem();
    return problem === undefined ? { token: verified, audiences } : { problem };
  }

  [Symbol.dispose](): void {
    for (const stop of this.#observed.values()) stop();
    this.#observed.clear();
    for (const token of this.#known.values()) token[Symbol.dispose]();
    this.#known.clear();
    this.#dependents.clear();
  }

  #verify(text: string, digest: string): VerifiedToken | { problem: string } | undefined {
    const token = parseToken(text);
    if (token === undefined) return undefined;
    const issuer = textOf(token.claims, "iss");
    const legacy = issuer === LEGACY_ISSUER;
    if (!legacy && !this.#options.issuers.includes(issuer)) return undefined;
    const forged = this.#signatureProblem(token);
    if (forged !== undefined) return { problem: forged };
    const claims = legacy ? readLegacyClaims(token.claims) : readClaims(token.claims);
    if (typeof claims === "string") return { problem: claims };
    const given = audiencesOf(token.claims);
    const verified = new VerifiedToken({
      plane: this.#plane,
      claims,
      audiences: given.length === 0 ? this.#options.audiences : given,
      notBefore: millisecondsOf(token, "nbf"),
      issuedAt: millisecondsOf(token, "iat"),
      expiresAt: millisecondsOf(token, "exp"),
      id: legacy ? "" : textOf(token.claims, "jti"),
      legacy: legacy ? text : undefined,
    });
    // A name that is none has no place in the store.
    if (!isPlausible(claims)) return { problem: accountMissing(claims) };
    this.#remember(digest, verified);
    return verified;
  }

  #signatureProblem({ keyId, algorithm, signed, signature }: UnverifiedToken): string | undefined {
    const all = this.#options.keys().verifiers;
    const keys = keyId === "" ? all : all.filter((key) => key.keyId === keyId);
    if (keys.length === 0) return "invalid signature, no keys found";
    const bytes = Buffer.from(signed);
    // The key says the algorithm; a token that says another one is not asked what it means.
    const isRight = keys.some((key) => key.algorithm === algorithm && key.verify(bytes, signature));
    return isRight ? undefined : "go-jose/go-jose: error in cryptographic primitive";
  }

  #remember(digest: string, token: VerifiedToken): void {
    if (this.#known.size >= MAX_TOKENS) this.#forgetSome();
    this.#known.set(digest, token);
    for (const { kind, key } of this.#dependenciesOf(token)) {
      this.#observe(kind);
      let tokens = this.#dependents.get(key);
      if (tokens === undefined) {
        tokens = new Set();
        this.#dependents.set(key, tokens);
      }
      tokens.add(token);
    }
  }

  #forgetSome(): void {
    let left = MAX_TOKENS / 8;
    for (const [digest, token] of this.#known) {
      if (token.isFollowed) continue;
      this.#known.delete(digest);
      for (const { key } of this.#dependenciesOf(token)) {
        const tokens = this.#dependents.get(key);
        tokens?.delete(token);
        if (tokens?.size === 0) this.#dependents.delete(key);
      }
      if (--left <= 0) return;
    }
  }

  #observe(kind: StoredKind): void {
    if (this.#observed.has(kind)) return;
    const stop = this.#plane.store.observe(kind.prefix, ({ key }) => {
      const tokens = this.#dependents.get(key);
      if (tokens !== undefined) for (const token of tokens) token.touch();
    });
    this.#observed.set(kind, stop);
  }

  #dependenciesOf({ claims }: VerifiedToken): { kind: StoredKind; key: string }[] {
    const { namespace, account, pod, secret, node } = claims;
    const named = [
      { plural: "serviceaccounts", ref: account },
      { plural: "pods", ref: pod },
      { plural: "secrets", ref: secret },
      { plural: "nodes", ref: pod ? undefined : node },
    ];
    return named.flatMap(({ plural, ref }) => {
      if (ref === undefined) return [];
      const kind = this.#plane.table.findStored("", plural)!;
      return [{ kind, key: objectKeyIn(kind, namespace, ref.name) }];
    });
  }
}

/** Names are parts of keys of the store: a signer of ours never wrote such ones. */
function isPlausible({ namespace, account, pod, secret, node }: AccountClaims): boolean {
  const names = [namespace, account.name, pod?.name, secret?.name, node?.name];
  return names.every((name) => name === undefined || /^[^/]+$/.test(name));
}

function accountMissing({ account }: AccountClaims): string {
  return ApiError.notFound({ group: "", resource: "serviceaccounts" }, account.name).message;
}

function millisecondsOf({ claims }: UnverifiedToken, name: string): number | undefined {
  const seconds = secondsOf(claims, name);
  return seconds === undefined ? undefined : seconds * 1000;
}

/** As Go prints a list of texts. */
function quoteAll(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(" ")}]`;
}
