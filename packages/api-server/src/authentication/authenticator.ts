/**
 * Who asks. One authenticator over what a request shows: the certificate of its connection, then a
 * bearer token (of the token file, then of a service account), then nothing. The first that says who
 * it is counts; a credential that is wrong is refused, never taken for none. What is returned holds
 * no secret. Start here: tokens are service-account-tokens.ts, new ones token-requests.ts, acting for
 * others impersonation.ts.
 */
import { ApiError } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { AuthenticationOptions } from "./authentication-options.ts";
import { bearerOfHeader, bearerOfProtocols } from "./bearer-token.ts";
import type { CredentialLife } from "./credential-life.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import { makeTokenKeys, type TokenKeys } from "./token-keys.ts";
import type { TokenPlane } from "./token-plane.ts";

/** What a request shows of who sent it. */
export interface Credentials {
  /** What the certificate of the connection says; "untrusted" for one of another authority. */
  readonly certificate?: ClientCertificate | "untrusted" | undefined;
  /** The header, as sent. */
  readonly authorization?: string | undefined;
  /** Of a request that becomes a WebSocket: the header that names the protocols. */
  readonly webSocketProtocols?: string | undefined;
}

export interface ClientCertificate {
  readonly user: UserInfo;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

export interface Identity {
  readonly user: UserInfo;
  /** Of credentials that may be taken back while a request runs. */
  readonly life?: CredentialLife | undefined;
  /** What the user is to be warned of. */
  readonly warnings?: readonly string[];
}

/** What a token is worth to a service that asks. */
export type TokenReviewResult =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly error: string };

const ANONYMOUS: UserInfo = {
  username: "system:anonymous",
  groups: ["system:unauthenticated"],
};

const NOBODY = "invalid bearer token";
const DEFAULT_ISSUER = "https://kubernetes.default.svc.cluster.local";

export class Authenticator implements Disposable {
  readonly #plane: TokenPlane;
  readonly options: AuthenticationOptions;
  readonly #tokens: ServiceAccountTokens;
  #keys: TokenKeys | undefined;
  readonly issuers: readonly string[];
  /** Whom a token has to be for to be good here. */
  readonly audiences: readonly string[];

  constructor(plane: TokenPlane, options: AuthenticationOptions = {}) {
    this.#plane = plane;
    this.options = options;
    this.issuers = options.issuers ?? [DEFAULT_ISSUER];
    this.audiences = options.audiences ?? this.issuers;
    this.#tokens = new ServiceAccountTokens(plane, {
      issuers: this.issuers,
      audiences: this.audiences,
      keys: () => this.keys,
    });
  }

  /** Made when first needed, where none were given. */
  get keys(): TokenKeys {
    const { tokenKeys = () => makeTokenKeys(this.#plane.random) } = this.options;
    this.#keys ??= typeof tokenKeys === "function" ? tokenKeys() : tokenKeys;
    return this.#keys;
  }

  /** Throws the answer to a request that shows something wrong, or nothing where something must be. */
  authenticate(credentials: Credentials): Identity {
    const { certificate, authorization, webSocketProtocols } = credentials;
    let isWrong = false;
    if (certificate !== undefined) {
      if (certificate !== "untrusted" && this.#plane.clock.now() <= certificate.notAfter) {
        return certificate;
      }
      isWrong = true;
    }
    const warnings: string[] = [];
    const tokens = [bearerOfHeader(authorization, warnings), bearerOfProtocols(webSocketProtocols)];
    for (const token of tokens) {
      if (token === undefined) continue;
      const found = token === "" ? undefined : this.#identify(token);
      if (found !== undefined) return found;
      isWrong = true;
    }
    if (isWrong || this.options.anonymous === false) throw unauthorized();
    return warnings.length === 0 ? NO_CREDENTIALS : { user: ANONYMOUS, warnings };
  }

  /** For a TokenReview: as a request with nothing but this token, for these audiences. */
  review(given: string, wanted: readonly string[]): TokenReviewResult {
    const audiences = wanted.length > 0 ? wanted : this.audiences;
    const token = bearerOfHeader(`Bearer ${given}`, []);
    if (token === undefined) {
      if (this.options.anonymous === false) return { error: "" };
      return { user: ANONYMOUS, audiences };
    }
    const known = this.options.staticTokens?.get(token);
    const heard = audiences.filter((each) => this.audiences.includes(each));
    if (known !== undefined && heard.length > 0) {
      return { user: authenticated(known), audiences: heard };
    }
    const judged = this.#tokens.judge(token, audiences);
    if (judged === undefined) return { error: NOBODY };
    if ("problem" in judged) return { error: `[${NOBODY}, ${judged.problem}]` };
    return { user: judged.token.user, audiences: judged.audiences };
  }

  [Symbol.dispose](): void {
    this.#tokens[Symbol.dispose]();
  }

  #identify(token: string): Identity | undefined {
    const known = this.options.staticTokens?.get(token);
    if (known !== undefined) return { user: authenticated(known) };
    const judged = this.#tokens.judge(token, this.audiences);
    if (judged === undefined || "problem" in judged) return undefined;
    const { user, warnings } = judged.token;
    return { user, life: judged.token, warnings };
  }
}

const NO_CREDENTIALS: Identity = { user: ANONYMOUS };

function unauthorized(): ApiError {
  return ApiError.unauthorized("Unauthorized");
}

/** With the group of all who said who they are. */
export function authenticated(user: UserInfo): UserInfo {
  const { username, groups = [] } = user;
  const isSaid = groups.some(
    (group) => group === "system:authenticated" || group === "system:unauthenticated",
  );
  if (isSaid || username === ANONYMOUS.username) return user;
  return { ...user, groups: [...groups, "system:authenticated"] };
}
