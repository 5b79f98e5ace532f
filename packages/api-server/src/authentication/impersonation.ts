import {
  ApiError,
  checkDns1123Label,
  checkDns1123Subdomain,
  FieldError,
  FieldPath,
  ownKey,
} from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { AccessAttributes, Authorizer } from "../authorization/authorizer.ts";
import { forbidden } from "../authorization/forbidden.ts";
import { checkNamed } from "./impersonation-headers.ts";
import { accountGroups } from "./service-account-claims.ts";

type ResourceAttributes = Extract<AccessAttributes, { kind: "resource" }>;

const AUTHENTICATION = { group: "authentication.k8s.io", version: "v1" };
const CORE = { group: "", version: "v1" };
/** From so many on, the right to all of them is asked for first. */
const MANY = 4;
const MAX_REMEMBERED = 10_000;
const NODE_NAME = "authentication.kubernetes.io/node-name";

/** A way to be allowed to act as another. */
interface Mode {
  /** "" for the one that has no limits. */
  readonly name: string;
  readonly applies: (wanted: UserInfo, requestor: UserInfo) => boolean;
}

/** In the order in which they are tried; the refusal that is told is that of the first that applies. */
const MODES: readonly Mode[] = [
  {
    name: "associated-node",
    applies: (wanted, requestor) => {
      const node = nodeOf(wanted);
      if (node === undefined || !isOnlyName(wanted)) return false;
      const own = ownKey(requestor.extra, NODE_NAME);
      return accountOf(requestor) !== undefined && own?.length === 1 && own[0] === node;
    },
  },
  {
    name: "arbitrary-node",
    applies: (wanted) => isOnlyName(wanted) && nodeOf(wanted) !== undefined,
  },
  {
    name: "serviceaccount",
    applies: (wanted) => isOnlyName(wanted) && accountOf(wanted) !== undefined,
  },
  {
    name: "user-info",
    applies: (wanted) => nodeOf(wanted) === undefined && accountOf(wanted) === undefined,
  },
  { name: "", applies: () => true },
];

/**
 * Acting as another. Whoever may `impersonate` users, groups, uids and extras may do everything they
 * may; whoever may `impersonate:<mode>` may do only what `impersonate-on:<mode>:<verb>` allows too.
 */
export class Impersonator {
  readonly #authorizer: Authorizer;
  /** The mode that served a user last is tried first, and its refusal is the one that is told. */
  readonly #lastModes = new Map<string, Mode>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** The user to go on with. Throws the refusal. */
  impersonate(requestor: UserInfo, wanted: UserInfo, asked: AccessAttributes): UserInfo {
    checkNamed(wanted);
    const { username = "" } = requestor;
    const last = this.#lastModes.get(username);
    const modes = last === undefined ? MODES : [last, ...MODES.filter((mode) => mode !== last)];
    let refusal: unknown;
    for (const mode of modes) {
      if (!mode.applies(wanted, requestor)) continue;
      try {
        const user = new Attempt(this.#authorizer, mode, requestor).become(wanted, asked);
        this.#remember(username, mode);
        return user;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }

  /** Under which limit the last of a user's requests acted as another; "" for none. */
  constraintOf({ username = "" }: UserInfo): string {
    const name = this.#lastModes.get(username)?.name ?? "";
    return name === "" ? "" : `impersonate:${name}`;
  }

  #remember(username: string, mode: Mode): void {
    this.#lastModes.delete(username);
    this.#lastModes.set(username, mode);
    if (this.#lastModes.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#lastModes.keys();
    this.#lastModes.delete(oldest!);
  }
}

/** One user's try in one mode. */
class Attempt {
  readonly #authorizer: Authorizer;
  readonly #mode: Mode;
  readonly #requestor: UserInfo;
  readonly #verb: string;
  readonly #isConstrained: boolean;

  constructor(authorizer: Authorizer, mode: Mode, requestor: UserInfo) {
    this.#authorizer = authorizer;
    this.#mode = mode;
    this.#isConstrained = mode.name !== "";
    this.#verb = this.#isConstrained ? `impersonate:${mode.name}` : "impersonate";
    this.#requestor = mode.name === "associated-node" ? withoutExtraValues(requestor) : requestor;
  }

  become(wanted: UserInfo, asked: AccessAttributes): UserInfo {
    if (this.#isConstrained) {
      this.#check({ ...asked, verb: `impersonate-on:${this.#mode.name}:${asked.verb}` });
    }
    const { uid = "", groups = [], extra = {} } = wanted;
    const fixed = this.#checkName(wanted);
    if (uid !== "") this.#check(this.#about(AUTHENTICATION, "uids", uid));
    this.#checkGroups(groups);
    this.#checkExtra(extra);
    return { ...wanted, groups: withWorld(wanted.username!, fixed ?? groups) };
  }

  /** The groups that such a user has, where they are fixed and no others were asked for. */
  #checkName(wanted: UserInfo): string[] | undefined {
    const { username = "", groups = [] } = wanted;
    const where = this.#isConstrained ? AUTHENTICATION : CORE;
    const node = this.#isConstrained ? nodeOf(wanted) : undefined;
    if (node !== undefined) {
      const name = this.#mode.name === "associated-node" ? "*" : node;
      this.#check(this.#about(where, "nodes", name));
      return ["system:nodes"];
    }
    const account = accountOf(wanted);
    if (account === undefined) {
      this.#check(this.#about(where, "users", username));
      return undefined;
    }
    const { namespace, name } = account;
    this.#check({ ...this.#about(where, "serviceaccounts", name), namespace });
    return groups.length === 0 ? accountGroups(namespace) : undefined;
  }

  #checkGroups(groups: readonly string[]): void {
    if (groups.length === 0) return;
    const about = this.#about(this.#isConstrained ? AUTHENTICATION : CORE, "groups", "");
    if (this.#isConstrained) {
      if (groups.includes("")) {
        throw this.#refuse(about, "impersonating the empty string group is not allowed");
      }
      if (groups.includes(MASTERS)) {
        const masters = { ...about, name: MASTERS };
        throw this.#refuse(masters, "impersonating the system:masters group is not allowed");
      }
      if (groups.length >= MANY && this.#may({ ...about, name: "*" })) return;
    }
    for (const name of groups) this.#check({ ...about, name });
  }

  #checkExtra(extra: Readonly<Record<string, readonly string[]>>): void {
    const entries = Object.entries(extra);
    if (entries.length === 0) return;
    const about = this.#about(AUTHENTICATION, "userextras", "");
    if (this.#isConstrained) {
      const problem = extraProblem(entries);
      if (problem !== undefined) throw this.#refuse(about, problem);
      const count = entries.reduce((sum, [, values]) => sum + values.length, 0);
      const isMany = count >= MANY || entries.length >= MANY;
      if (isMany && this.#may({ ...about, subresource: "*", name: "*" })) return;
    }
    for (const [subresource, values] of entries) {
      for (const name of values) this.#check({ ...about, subresource, name });
    }
  }

  #about(
    { group, version }: { group: string; version: string },
    resource: string,
    name: string,
  ): ResourceAttributes {
    const verb = this.#verb;
    return {
      kind: "resource",
      verb,
      group,
      version,
      resource,
      subresource: "",
      namespace: "",
      name,
    };
  }

  #may(asked: AccessAttributes): boolean {
    return this.#authorizer.authorize(this.#requestor, asked).allowed;
  }

  #check(asked: AccessAttributes): void {
    const { allowed, reason } = this.#authorizer.authorize(this.#requestor, asked);
    if (!allowed) throw this.#refuse(asked, reason);
  }

  #refuse(asked: AccessAttributes, reason: string): ApiError {
    return forbidden(this.#requestor, asked, reason);
  }
}

const MASTERS = "system:masters";

/** Who may be the node it runs on may be so wherever it runs: what differs there does not count. */
function withoutExtraValues({ extra = {}, ...user }: UserInfo): UserInfo {
  const keys = Object.keys(extra).toSorted();
  return { ...user, extra: { "authentication.kubernetes.io/associated-node-keys": keys } };
}

/** With the group of all who are somebody, or of those who are nobody. */
function withWorld(username: string, groups: readonly string[]): string[] {
  const isAnonymous = username === "system:anonymous";
  const world = isAnonymous ? "system:unauthenticated" : "system:authenticated";
  const isSaid =
    groups.includes(world) || (!isAnonymous && groups.includes("system:unauthenticated"));
  return isSaid ? [...groups] : [...groups, world];
}

function isOnlyName({ uid = "", groups = [], extra = {} }: UserInfo): boolean {
  return uid === "" && groups.length === 0 && Object.keys(extra).length === 0;
}

const NODE = "system:node:";
const ACCOUNT = "system:serviceaccount:";

function nodeOf({ username = "" }: UserInfo): string | undefined {
  if (!username.startsWith(NODE)) return undefined;
  const name = username.slice(NODE.length);
  return checkDns1123Subdomain(name).length === 0 ? name : undefined;
}

function accountOf({ username = "" }: UserInfo): { namespace: string; name: string } | undefined {
  if (!username.startsWith(ACCOUNT)) return undefined;
  const [namespace = "", name = "", ...rest] = username.slice(ACCOUNT.length).split(":");
  if (rest.length > 0 || checkDns1123Label(namespace).length > 0) return undefined;
  return checkDns1123Subdomain(name).length === 0 ? { namespace, name } : undefined;
}

const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

function extraProblem(
  entries: readonly (readonly [string, readonly string[]])[],
): string | undefined {
  for (const [key, values] of entries) {
    if (key === "") return "impersonating the empty string key in extra is not allowed";
    const errors = keyErrors(key);
    if (errors.length > 0) {
      const texts = errors.map(String);
      const all = texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
      return `impersonating an invalid key in extra is not allowed: ${all}`;
    }
    if (values.includes("")) {
      return "impersonating the empty string value in extra is not allowed";
    }
  }
  return undefined;
}

/** Keys are paths behind a domain, as `example.com/scope`. */
function keyErrors(key: string): FieldError[] {
  const at = FieldPath.of("extra").child("key");
  const slash = key.indexOf("/");
  if (slash <= 0 || slash === key.length - 1) {
    const why = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return [FieldError.invalid(at, key, why)];
  }
  const host = key.slice(0, slash);
  const path = key.slice(slash + 1);
  const errors = checkDns1123Subdomain(host).map((why) => FieldError.invalid(at, host, why));
  if (!new RegExp(`^${HTTP_PATH}$`).test(path)) {
    const why = `Invalid path (regex used for validation is '${HTTP_PATH}')`;
    errors.push(FieldError.invalid(at, path, why));
  }
  return errors;
}
