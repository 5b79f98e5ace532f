import { inSlices } from "@homeostat/cel";
import type { KubernetesObject } from "@homeostat/object-model";
import type { KeyValue } from "@homeostat/store";
import { encodeFor } from "./companion-commit.ts";
import { encodeLarge } from "./encode-large.ts";
import { refreshStates } from "./refresh-states.ts";
import type { StoredKind } from "./served-resource.ts";
import { isLargeObject } from "./stored-object.ts";
import { withinSize } from "./stored-size.ts";
import type { WriteContext } from "./strategy.ts";
import type { ObjectState } from "./write-scope.ts";

interface ToKeep {
  readonly object: KubernetesObject;
  /** What it is written over. */
  readonly old?: Readonly<KubernetesObject> | undefined;
  readonly context: Pick<WriteContext, "breathe" | "keepsManagedFields">;
}

/** The bytes that are kept of an object; a promise where they take a while or somebody is asked. */
export function keepObject(
  kind: StoredKind,
  { object, old, context: { breathe, keepsManagedFields = false } }: ToKeep,
): Uint8Array | Promise<Uint8Array> {
  const { keeping, strategy } = kind;
  // What goes along with an object was made for the moment.
  const isLarge =
    strategy.companions === undefined && (isLargeObject(object) || isLargeObject(old));
  const encode = (): Uint8Array | Promise<Uint8Array> => {
    if (keeping !== undefined) return keeping.encode(object, isLarge ? breathe : undefined);
    if (isLarge) return inSlices(encodeLarge(kind, object, old), breathe);
    return encodeFor(kind, object, old);
  };
  return withinSize(encode, object, { keepsManagedFields });
}

/** What was found, as its kind has it now: a promise where that has to be asked for elsewhere. */
export function refreshFound(
  { keeping }: StoredKind,
  found: KeyValue,
): KeyValue | Promise<KeyValue> {
  if (keeping === undefined) return found;
  const states = refreshStates(keeping, [found]);
  return states instanceof Promise ? states.then(([state]) => state!) : states[0]!;
}

/** What was written, as its kind has it. */
export function refreshWritten<T extends ObjectState>(
  { keeping }: StoredKind,
  state: T,
): T | Promise<T> {
  if (keeping === undefined) return state;
  const withValue = ([value]: readonly Uint8Array[]): T => ({ ...state, value: value! });
  const values = keeping.refresh([state.value]);
  return values instanceof Promise ? values.then(withValue) : withValue(values);
}
