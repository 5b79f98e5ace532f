import type { Clock } from "@homeostat/concurrency";
import type { GroupResource } from "@homeostat/object-model";
import { AdmissionFigures, type OperationFigures } from "../figures/admission-figures.ts";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";

interface PluginsOfResource {
  readonly mutating: readonly MeasuredPlugin[];
  readonly validating: readonly MeasuredPlugin[];
  readonly confirming: readonly AdmissionPlugin[];
}

interface MeasuredPlugin {
  readonly plugin: AdmissionPlugin;
  readonly figures: OperationFigures;
}

/** What measures the plugins. */
export interface AdmissionMeasure {
  readonly clock: Pick<Clock, "monotonic">;
  readonly figures: AdmissionFigures;
}

const UNMEASURED: Pick<Clock, "monotonic"> = { monotonic: () => 0 };

/** The plugins of a plane, asked in their order; the first refusal counts. */
export class AdmissionChain {
  readonly #plugins: AdmissionPlugin[] = [];
  readonly #byResource = new Map<string, PluginsOfResource>();
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #figures: AdmissionFigures;
  readonly #mutating: OperationFigures;
  readonly #validating: OperationFigures;

  constructor({ clock, figures }: Partial<AdmissionMeasure> = {}) {
    this.#clock = clock ?? UNMEASURED;
    this.#figures = figures ?? new AdmissionFigures();
    this.#mutating = this.#figures.ofStep("admit");
    this.#validating = this.#figures.ofStep("validate");
  }

  /** Comes after those that are there already. */
  use(...plugins: readonly AdmissionPlugin[]): void {
    this.#plugins.push(...plugins);
    this.#byResource.clear();
  }

  /** Undefined: nobody has to be waited for. */
  mutate(change: AdmittedChange, request: AdmissionRequest): Promise<void> | undefined {
    const { mutating } = this.#of(request.served.stored.groupResource);
    const ask = (plugin: AdmissionPlugin): void | Promise<void> => plugin.mutate!(change, request);
    const turn = { clock: this.#clock, operation: change.operation, step: this.#mutating, ask };
    // Only those that are waited for, webhooks and policies, can want a second round.
    return inTurn(mutating, turn)?.then(() =>
      change.rounds?.begin() === true ? inTurn(mutating, turn) : undefined,
    );
  }

  /** As mutate. */
  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): Promise<void> | undefined {
    const { validating } = this.#of(request.served.stored.groupResource);
    const ask = (plugin: AdmissionPlugin): void | Promise<void> =>
      plugin.validate!(change, request);
    const turn = { clock: this.#clock, operation: change.operation, step: this.#validating, ask };
    return inTurn(validating, turn);
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
      const measured = (type: "admit" | "validate") => (plugin: AdmissionPlugin) => {
        return { plugin, figures: this.#figures.ofPlugin(plugin.name, type) };
      };
      found = {
        mutating: plugins.filter((each) => each.mutate !== undefined).map(measured("admit")),
        validating: plugins.filter((each) => each.validate !== undefined).map(measured("validate")),
        confirming: plugins.filter((each) => each.confirm !== undefined),
      };
      this.#byResource.set(name, found);
    }
    return found;
  }
}

/** One asking of all plugins. */
interface Turn {
  readonly clock: Pick<Clock, "monotonic">;
  readonly operation: string;
  readonly step: OperationFigures;
  readonly ask: (plugin: AdmissionPlugin) => void | Promise<void>;
}

/** Waits only where a plugin has to. The time is read once between two plugins. */
function inTurn(plugins: readonly MeasuredPlugin[], turn: Turn): Promise<void> | undefined {
  const { clock, ask } = turn;
  const began = clock.monotonic();
  let before = began;
  let at = 0;
  try {
    // Every write passes here: an iterator would be most of its cost.
    for (; at < plugins.length; at++) {
      const waiting = ask(plugins[at]!.plugin);
      if (waiting !== undefined) return rest(waiting, { plugins, at, began, before }, turn);
      before = observe(plugins[at]!, before, turn);
    }
  } catch (error) {
    refused(plugins[at]!, { began, before }, turn);
    throw error;
  }
  turn.step.of(turn.operation).allowed.observe((before - began) / 1000);
  return undefined;
}

interface Place {
  readonly plugins: readonly MeasuredPlugin[];
  readonly at: number;
  readonly began: number;
  readonly before: number;
}

async function rest(waiting: Promise<void>, place: Place, turn: Turn): Promise<void> {
  const { plugins, began } = place;
  let { at, before } = place;
  try {
    await waiting;
    before = observe(plugins[at]!, before, turn);
    for (at++; at < plugins.length; at++) {
      const next = turn.ask(plugins[at]!.plugin);
      if (next !== undefined) await next;
      before = observe(plugins[at]!, before, turn);
    }
  } catch (error) {
    refused(plugins[at]!, { began, before }, turn);
    throw error;
  }
  turn.step.of(turn.operation).allowed.observe((before - began) / 1000);
}

/** The time now. */
function observe({ figures }: MeasuredPlugin, before: number, { clock, operation }: Turn): number {
  const now = clock.monotonic();
  figures.of(operation).allowed.observe((now - before) / 1000);
  return now;
}

function refused(
  { figures }: MeasuredPlugin,
  { began, before }: Pick<Place, "began" | "before">,
  { clock, operation, step }: Turn,
): void {
  const now = clock.monotonic();
  figures.of(operation).refused.observe((now - before) / 1000);
  step.of(operation).refused.observe((now - began) / 1000);
}
