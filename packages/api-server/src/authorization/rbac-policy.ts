/**
 * Every role and binding of a plane, found by whom they are for. Follows the store from inside each
 * commit, so that whoever may write a role sees it hold from the next request on. What a user holds is
 * found by its name and its groups, however many bindings there are for others.
 */
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type {
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from "@homeostat/object-model/rbac-v1";
import type { KeyValue, StoreEvent } from "@homeostat/store";
import type { Plane } from "../registry/plane.ts";
import type { StoredKind } from "../registry/served-resource.ts";
import { partsOfKey } from "../registry/storage-key.ts";
import { decodeStored } from "../registry/stored-object.ts";
import { type HeldRule, heldRule } from "./policy-rule.ts";

export const RBAC_GROUP = "rbac.authorization.k8s.io";

/** A binding of either scope. */
export interface HeldBinding {
  /** "" for the whole cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** Who is bound in one namespace, or in the whole cluster. */
interface Bound {
  readonly users: Map<string, Set<HeldBinding>>;
  readonly groups: Map<string, Set<HeldBinding>>;
}

type Resource = "clusterroles" | "roles" | "clusterrolebindings" | "rolebindings";

export class RbacPolicy implements Disposable {
  readonly #plane: Pick<Plane, "store" | "table">;
  /** By place: see {@link placeOf}. */
  readonly #roles = new Map<string, readonly HeldRule[]>();
  readonly #bindings = new Map<string, HeldBinding>();
  /** By namespace, "" for the whole cluster. */
  readonly #bound = new Map<string, Bound>();
  readonly #stops: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #isLoaded = false;
  #changes = 0;

  constructor(plane: Pick<Plane, "store" | "table">) {
    this.#plane = plane;
  }

  /** How often a role or a binding has changed since anybody asked about them. */
  get changes(): number {
    return this.#changes;
  }

  /** Takes what the store holds and follows it from then on. Otherwise done when first asked. */
  load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    this.#keep("clusterroles", (place, state) => this.#setRole(place, state));
    this.#keep("roles", (place, state) => this.#setRole(place, state));
    this.#keep("clusterrolebindings", (place, state) => this.#setBinding(place, state));
    this.#keep("rolebindings", (place, state) => this.#setBinding(place, state));
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#listeners.clear();
  }

  /** Called inside a commit that changes a role or a binding, once somebody has asked. */
  whenChanged(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** The rules of a role, as a binding of this namespace names it; undefined when there is none such. */
  rulesOf({ kind, name }: Readonly<RoleRef>, namespace: string): readonly HeldRule[] | undefined {
    this.load();
    if (kind === "ClusterRole") return this.#roles.get(placeOf("", name));
    return namespace === "" ? undefined : this.#roles.get(placeOf(namespace, name));
  }

  /** The bindings that hold for a user in a namespace, those of the whole cluster first. */
  *bindingsFor(user: UserInfo, namespace: string): Iterable<HeldBinding> {
    this.load();
    yield* this.#boundIn("", user);
    if (namespace !== "") yield* this.#boundIn(namespace, user);
  }

  *#boundIn(namespace: string, { username = "", groups = [] }: UserInfo): Iterable<HeldBinding> {
    const bound = this.#bound.get(namespace);
    if (bound === undefined) return;
    const seen: Set<HeldBinding>[] = [];
    const byName = bound.users.get(username);
    if (byName !== undefined) {
      yield* byName;
      seen.push(byName);
    }
    for (const group of groups) {
      const byGroup = bound.groups.get(group);
      if (byGroup === undefined || seen.includes(byGroup)) continue;
      for (const binding of byGroup) {
        if (!seen.some((others) => others.has(binding))) yield binding;
      }
      seen.push(byGroup);
    }
  }

  #keep(resource: Resource, set: (place: string, state: KeyValue | undefined) => void): void {
    const { store, table } = this.#plane;
    const kind = table.findStored(RBAC_GROUP, resource)!;
    const follow = ({ key, current }: StoreEvent): void => {
      set(placeOfKey(kind, key), current);
      this.#changes++;
      for (const listener of this.#listeners) listener();
    };
    this.#stops.push(store.observe(kind.prefix, follow));
    for (const item of store.list({ prefix: kind.prefix }).items) {
      set(placeOfKey(kind, item.key), item);
    }
  }

  #setRole(place: string, state: KeyValue | undefined): void {
    if (state === undefined) {
      this.#roles.delete(place);
      return;
    }
    const { rules } = decodeStored(state.value, state.revision) as ClusterRole | Role;
    this.#roles.set(place, (rules ?? []).map(heldRule));
  }

  #setBinding(place: string, state: KeyValue | undefined): void {
    const before = this.#bindings.get(place);
    if (before !== undefined) this.#unbind(before);
    this.#bindings.delete(place);
    if (state === undefined) return;
    const binding = bindingOf(decodeStored(state.value, state.revision));
    this.#bindings.set(place, binding);
    this.#bind(binding);
  }

  #bind(binding: HeldBinding): void {
    let bound = this.#bound.get(binding.namespace);
    if (bound === undefined) {
      bound = { users: new Map(), groups: new Map() };
      this.#bound.set(binding.namespace, bound);
    }
    for (const { of, name } of holdersOf(binding)) {
      const holders = bound[of];
      const known = holders.get(name);
      if (known === undefined) holders.set(name, new Set([binding]));
      else known.add(binding);
    }
  }

  #unbind(binding: HeldBinding): void {
    const bound = this.#bound.get(binding.namespace)!;
    for (const { of, name } of holdersOf(binding)) {
      const known = bound[of].get(name);
      known?.delete(binding);
      if (known?.size === 0) bound[of].delete(name);
    }
    if (bound.users.size + bound.groups.size === 0) this.#bound.delete(binding.namespace);
  }
}

/** Whether a subject of a binding in this namespace is the user or one of its groups. */
export function appliesTo(subject: Subject, user: UserInfo, namespace: string): boolean {
  const holder = holderOf(subject, namespace);
  if (holder === undefined) return false;
  const { of, name } = holder;
  return of === "users" ? name === (user.username ?? "") : user.groups?.includes(name) === true;
}

interface Holder {
  readonly of: "users" | "groups";
  readonly name: string;
}

function* holdersOf({ subjects, namespace }: HeldBinding): Iterable<Holder> {
  for (const subject of subjects) {
    const holder = holderOf(subject, namespace);
    if (holder !== undefined) yield holder;
  }
}

/** A service account is the user of its name; without a namespace it is of the binding's. */
function holderOf(subject: Subject, bindingNamespace: string): Holder | undefined {
  const { kind, name } = subject;
  switch (kind) {
    case "User":
      return { of: "users", name };
    case "Group":
      return { of: "groups", name };
    case "ServiceAccount": {
      const namespace = subject.namespace || bindingNamespace;
      if (namespace === "") return undefined;
      return { of: "users", name: `system:serviceaccount:${namespace}:${name}` };
    }
    default:
      return undefined;
  }
}

function bindingOf(object: object): HeldBinding {
  const { metadata, roleRef, subjects } = object as ClusterRoleBinding | RoleBinding;
  const { namespace = "", name = "" } = metadata ?? {};
  return { namespace, name, roleRef, subjects: subjects ?? [] };
}

/** Names hold no slash. */
function placeOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function placeOfKey(kind: StoredKind, key: string): string {
  const { namespace, name } = partsOfKey(kind, key);
  return placeOf(namespace, name);
}
