import type { FieldSelector, LabelSelector, Labels } from "@homeostat/object-model";
import type { StoredKind } from "./served-resource.ts";
import { partsOfKey } from "./storage-key.ts";
import { storedFields, storedLabels } from "./stored-object.ts";

/** Which objects of a kind are meant: decides from the head of the kept bytes, without a decode. */
export class Selection {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  readonly #kind: StoredKind;
  readonly everything: boolean;

  constructor(
    kind: StoredKind,
    { labels, fields }: { readonly labels: LabelSelector; readonly fields: FieldSelector },
  ) {
    this.#kind = kind;
    this.labels = labels;
    this.fields = fields;
    this.everything = labels.isEmpty() && fields.isEmpty();
  }

  matches(key: string, stored: Uint8Array): boolean {
    if (this.everything) return true;
    return this.matchesHead(key, this.labels.isEmpty() ? undefined : storedLabels(stored), () =>
      storedFields(stored),
    );
  }

  /** The same for a head that has been read already, as watchers share it. */
  matchesHead(key: string, labels: Labels, values: () => readonly string[]): boolean {
    if (!this.labels.isEmpty() && !this.labels.matches(labels)) return false;
    for (const { field, operator, value } of this.fields.requirements) {
      if ((this.#valueOf(field, key, values) === value) !== (operator === "=")) return false;
    }
    return true;
  }

  #valueOf(field: string, key: string, values: () => readonly string[]): string {
    if (field === "metadata.name") return partsOfKey(this.#kind, key).name;
    if (field === "metadata.namespace") return partsOfKey(this.#kind, key).namespace;
    return values()[this.#kind.fieldNames.indexOf(field)] ?? "";
  }
}
