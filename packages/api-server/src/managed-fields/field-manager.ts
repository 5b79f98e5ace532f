import { finishNow, type WorkSteps } from "@homeostat/cel";
import type { JsonObject, KubernetesObject } from "@homeostat/object-model";
import { type AppliedObject, FieldApplier } from "./field-applier.ts";
import { FieldUpdater } from "./field-updater.ts";
import { ManagedKind, type ManagedKindOptions } from "./managed-kind.ts";
import type { Writer } from "./writer.ts";

/**
 * Keeps `metadata.managedFields` of the objects of one kind through one door: one version and the
 * object itself or one of its subresources. Objects come in the version that is written through.
 */
export class FieldManager {
  readonly #kind: ManagedKind;
  readonly #updater: FieldUpdater;
  readonly #applier: FieldApplier;

  constructor(options: ManagedKindOptions) {
    this.#kind = new ManagedKind(options);
    this.#updater = new FieldUpdater(this.#kind);
    this.#applier = new FieldApplier(this.#kind, this.#updater);
  }

  /** An object of which nothing is set, as the type prints it: what a create starts from. */
  empty(): JsonObject {
    return this.#kind.empty();
  }

  /**
   * Sets the entries of an object that is written whole; `live` is as it prints. Never refuses: an
   * object that no type fits is left without entries.
   */
  update(live: Readonly<JsonObject>, object: KubernetesObject, writer: Writer): void {
    finishNow(this.updateInSteps(live, object, writer));
  }

  updateInSteps(
    live: Readonly<JsonObject>,
    object: KubernetesObject,
    writer: Writer,
  ): WorkSteps<void> {
    return this.#updater.update(live, object, writer);
  }

  /**
   * What applying a configuration makes of an object, with its entries; not defaulted yet. `live` is as
   * it prints. Refuses conflicts, unless forced, and what is no configuration of this kind.
   */
  apply(
    live: Readonly<JsonObject>,
    configuration: JsonObject,
    writer: Writer & { readonly force: boolean },
  ): AppliedObject {
    return finishNow(this.applyInSteps(live, configuration, writer));
  }

  applyInSteps(
    live: Readonly<JsonObject>,
    configuration: JsonObject,
    writer: Writer & { readonly force: boolean },
  ): WorkSteps<AppliedObject> {
    return this.#applier.apply(live, configuration, writer);
  }

  /** How messages name an object. */
  describe(object: JsonObject): string {
    return this.#kind.describe(object);
  }
}
