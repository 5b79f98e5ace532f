import type { GroupResource } from "@homeostat/object-model";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";

interface PluginsOfResource {
  readonly mutating: readonly AdmissionPlugin[];
  readonly validating: readonly AdmissionPlugin[];
  readonly confirming: readonly AdmissionPlugin[];
}

/** The plugins of a plane, asked in their order; the first refusal counts. */
export class AdmissionChain {
  readonly #plugins: AdmissionPlugin[] = [];
  readonly #byResource = new Map<string, PluginsOfResource>();

  /** Comes after those that are there already. */
  use(...plugins: readonly AdmissionPlugin[]): void {
    this.#plugins.push(...plugins);
    this.#byResource.clear();
  }

  /** Undefined: nobody has to be waited for. */
  mutate(change: AdmittedChange, request: AdmissionRequest): Promise<void> | undefined {
    const { mutating } = this.#of(request.served.stored.groupResource);
    const ask = (plugin: AdmissionPlugin): void | Promise<void> => plugin.mutate!(change, request);
    // Only those that are waited for, webhooks and policies, can want a second round.
    return inTurn(mutating, ask)?.then(() =>
      change.rounds?.begin() === true ? inTurn(mutating, ask) : undefined,
    );
  }

  /** As mutate. */
  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): Promise<void> | undefined {
    const { validating } = this.#of(request.served.stored.groupResource);
    return inTurn(validating, (plugin) => plugin.validate!(change, request));
  }

  confirm(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    const { confirming } = this.#of(request.served.stored.groupResource);
    for (const plugin of confirming) plugin.confirm!(change, request);
  }

  #of({ group, resource }: GroupResource): PluginsOfResource {
    const name = group === "" ? resource : `${resource}.${group}`;
    let found = this.#byResource.get(name);
    if (found === undefined) {
      const plugins = this.#plugins.filter(
        ({ resources }) => resources === undefined || resources.includes(name),
      );
      found = {
        mutating: plugins.filter((each) => each.mutate !== undefined),
        validating: plugins.filter((each) => each.validate !== undefined),
        confirming: plugins.filter((each) => each.confirm !== undefined),
      };
      this.#byResource.set(name, found);
    }
    return found;
  }
}

/** Waits only where a plugin has to. */
function inTurn(
  plugins: readonly AdmissionPlugin[],
  ask: (plugin: AdmissionPlugin) => void | Promise<void>,
): Promise<void> | undefined {
  // Every write passes here: an iterator would be most of its cost.
  for (let at = 0; at < plugins.length; at++) {
    const waiting = ask(plugins[at]!);
    if (waiting !== undefined) return rest(waiting, plugins.slice(at + 1), ask);
  }
  return undefined;
}

async function rest(
  waiting: Promise<void>,
  plugins: readonly AdmissionPlugin[],
  ask: (plugin: AdmissionPlugin) => void | Promise<void>,
): Promise<void> {
  await waiting;
  for (const plugin of plugins) {
    const next = ask(plugin);
    if (next !== undefined) await next;
  }
}
