import { equalJson, type JsonObject, type KubernetesObject } from "@homeostat/object-model";

/**
 * When a webhook or policy changed an object, all mutating plugins are asked once more, and those of
 * the webhooks and policies that want it (reinvocationPolicy IfNeeded) and were asked before the change.
 */
export class MutationRounds {
  /** 0, then 1: there is no third. */
  round = 0;
  #wantsAnother = false;
  readonly #asked = new Map<string, AskedBefore>();

  /** Something changed the object. */
  wantAnother(): void {
    this.#wantsAnother = true;
  }

  /** Whether there is a second round; if so it begins. */
  begin(): boolean {
    if (this.round > 0 || !this.#wantsAnother) return false;
    this.round = 1;
    return true;
  }

  /** Whom a plugin asked, by its name. */
  of(plugin: string): AskedBefore {
    let asked = this.#asked.get(plugin);
    if (asked === undefined) {
      asked = new AskedBefore();
      this.#asked.set(plugin, asked);
    }
    return asked;
  }
}

/** Whom one plugin has asked, and who is to be asked again for what changed since. */
export class AskedBefore {
  #asked = new Set<string>();
  readonly #again = new Set<string>();
  #left: JsonObject | undefined;

  /** At the begin of the second round: whether others have changed the object meanwhile. */
  see(object: KubernetesObject | undefined): void {
    if (!equalJson(object ?? null, this.#left ?? null)) this.changed();
  }

  /** How the plugin leaves the object. */
  leave(object: KubernetesObject | undefined): void {
    this.#left = object && (structuredClone(object) as unknown as JsonObject);
  }

  changed(): void {
    for (const each of this.#asked) this.#again.add(each);
    this.#asked = new Set();
  }

  add(who: string): void {
    this.#asked.add(who);
  }

  isToBeAskedAgain(who: string): boolean {
    return this.#again.has(who);
  }
}
