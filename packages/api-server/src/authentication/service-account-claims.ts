import { type Claims, objectOf, textOf } from "./json-web-token.ts";

/** An object by name, and by uid, so that one made anew under the same name is another. */
export interface ObjectRef {
  readonly name: string;
  readonly uid: string;
}

/** Whose token it is, and what has to be alive for it to be good. */
export interface AccountClaims {
  readonly namespace: string;
  readonly account: ObjectRef;
  readonly pod?: ObjectRef | undefined;
  readonly secret?: ObjectRef | undefined;
  /** Of a pod only for information. */
  readonly node?: ObjectRef | undefined;
}

export interface NewTokenClaims extends AccountClaims {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly id: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** When its use begins to be noted as stale; undefined for never. */
  readonly warnAfter: number | undefined;
}

/** The claims of a new token, in the order of their names. */
export function printClaims(token: NewTokenClaims): Claims {
  const { namespace, account, pod, secret, node, warnAfter } = token;
  return {
    aud: token.audiences,
    exp: token.expiresAt,
    iat: token.issuedAt,
    iss: token.issuer,
    jti: token.id,
    "kubernetes.io": {
      namespace,
      ...(node && { node: printRef(node) }),
      ...(pod && { pod: printRef(pod) }),
      ...(secret && { secret: printRef(secret) }),
      serviceaccount: printRef(account),
      ...(warnAfter !== undefined && { warnafter: warnAfter }),
    },
    nbf: token.issuedAt,
    sub: usernameOf(namespace, account.name),
  };
}

/** What a bound token says. Missing texts are "", which no object is called. */
export function readClaims(claims: Claims): AccountClaims {
  const own = objectOf(claims, "kubernetes.io") ?? {};
  return {
    namespace: textOf(own, "namespace"),
    account: readRef(objectOf(own, "serviceaccount") ?? {}),
    pod: optionalRef(own, "pod"),
    secret: optionalRef(own, "secret"),
    node: optionalRef(own, "node"),
  };
}

const LEGACY = "kubernetes.io/serviceaccount/";

/** What a token kept in a secret says; the problem if it says too little. */
export function readLegacyClaims(claims: Claims): AccountClaims | string {
  const namespace = textOf(claims, `${LEGACY}namespace`);
  const secret = textOf(claims, `${LEGACY}secret.name`);
  const name = textOf(claims, `${LEGACY}service-account.name`);
  const uid = textOf(claims, `${LEGACY}service-account.uid`);
  const subject = textOf(claims, "sub");
  if (subject === "") return "sub claim is missing";
  if (namespace === "") return "namespace claim is missing";
  if (secret === "") return "secretName claim is missing";
  if (name === "") return "serviceAccountName claim is missing";
  if (uid === "") return "serviceAccountUID claim is missing";
  if (subject !== usernameOf(namespace, name)) return "sub claim is invalid";
  return { namespace, account: { name, uid }, secret: { name: secret, uid: "" } };
}

export function usernameOf(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

export function accountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

function printRef({ name, uid }: ObjectRef): object {
  return { name, ...(uid !== "" && { uid }) };
}

function readRef(claims: Claims): ObjectRef {
  return { name: textOf(claims, "name"), uid: textOf(claims, "uid") };
}

function optionalRef(claims: Claims, name: string): ObjectRef | undefined {
  const found = objectOf(claims, name);
  return found && readRef(found);
}
