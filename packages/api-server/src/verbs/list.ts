import { ApiError, type ListMeta } from "@homeostat/object-model";
import type { KeyValue } from "@homeostat/store";
import { RevisionAheadError, RevisionCompactedError } from "@homeostat/store";
import type { Answer } from "../answers/answer.ts";
import { listPayload } from "../answers/list-payload.ts";
import { refreshStates } from "../registry/refresh-states.ts";
import { Selection } from "../registry/selection.ts";
import type { StoredKind } from "../registry/served-resource.ts";
import { listPrefix, objectKeyIn } from "../registry/storage-key.ts";
import { parseContinueToken, printContinueToken } from "./continue-token.ts";
import { type ListOptions, readListOptions } from "./list-options.ts";
import { reachRevision } from "./reached-revision.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** How many objects are looked at before others get their turn. */
const STEP = 2000;

export async function list(request: ResourceRequest): Promise<Answer> {
  const options = readListOptions(request.query, request.served, { watch: false });
  const { items, metadata } = await collect(request, options);
  return { status: 200, payload: listPayload({ items, metadata, served: request.served }) };
}

export interface Collected {
  readonly items: readonly KeyValue[];
  readonly metadata: ListMeta;
}

/** The states that a list shows, all of one revision. */
export async function collect(request: ResourceRequest, options: ListOptions): Promise<Collected> {
  const reading = await startReading(request, options);
  try {
    return await read(request, options, reading);
  } catch (error) {
    if (error instanceof RevisionCompactedError) throw tooOld(options);
    if (error instanceof RevisionAheadError) {
      throw ApiError.tooLargeResourceVersion(
        String(reading.revision),
        String(request.plane.store.revision),
        1,
      );
    }
    throw error;
  }
}

interface Reading {
  readonly revision: number;
  /** Key after which to go on. */
  readonly after: string | undefined;
  readonly limit: number;
}

async function startReading(request: ResourceRequest, options: ListOptions): Promise<Reading> {
  const { store } = request.plane;
  const { resourceVersion, resourceVersionMatch, continueToken } = options;
  const limit = Math.max(options.limit, 0);
  if (continueToken !== "") {
    const token = parseContinueToken(continueToken);
    if (resourceVersion !== "" && resourceVersion !== "0") {
      throw ApiError.badRequest("specifying resource version is not allowed when using continue");
    }
    const after = listPrefix(request.served.stored, request.namespace) + token.start;
    return { revision: token.revision < 0 ? store.revision : token.revision, after, limit };
  }
  if (resourceVersion === "") return { revision: store.revision, after: undefined, limit };
  if (resourceVersion === "0") {
    // Whatever is at hand is good enough, and so it is given whole.
    return { revision: store.revision, after: undefined, limit: 0 };
  }
  // Without a word, a page is of exactly that version, except that one object makes no pages.
  const isPage = limit > 0 && onlyKey(request, options) === undefined;
  if (resourceVersionMatch === "Exact" || (resourceVersionMatch === "" && isPage)) {
    const revision = Number(resourceVersion);
    if (revision <= store.revision) return { revision, after: undefined, limit };
    throw ApiError.tooLargeResourceVersion(resourceVersion, String(store.revision), 1);
  }
  await reachRevision(resourceVersion, request.plane, request.signal);
  return { revision: store.revision, after: undefined, limit };
}

async function read(
  request: ResourceRequest,
  options: ListOptions,
  { revision, after, limit }: Reading,
): Promise<Collected> {
  const { store } = request.plane;
  const { stored } = request.served;
  const prefix = listPrefix(stored, request.namespace);
  // The present is cheaper to read than the same revision of the past.
  const pastOnly = (at: number): number | undefined => (at === store.revision ? undefined : at);
  const selection = new Selection(stored, options);
  const only = onlyKey(request, options);
  const candidates = only ?? candidateKeys(request, selection, revision);
  if (candidates !== undefined) {
    const items: KeyValue[] = [];
    const keys = candidates.filter((key) => key.startsWith(prefix) && key > (after ?? "")).sort();
    for (const key of keys) {
      const found = store.get(key, { revision: pastOnly(revision) });
      if (found === undefined) continue;
      const fresh = freshStates(stored, [found]);
      const [item] = fresh instanceof Promise ? await fresh : fresh;
      if (!selection.matches(key, item!.value)) continue;
      items.push(item!);
      if (items.length === limit) break;
    }
    // A full page goes on if anything follows, whether it matches or not: nobody has looked.
    const last = items.length === limit && only === undefined ? items.at(-1) : undefined;
    const goesOn =
      last !== undefined &&
      store.list({ prefix, revision: pastOnly(revision), after: last.key, limit: 1 }).items.length >
        0;
    return { items, metadata: metadataOf({ revision, prefix, last: goesOn ? last : undefined }) };
  }
  const items: KeyValue[] = [];
  let from = after;
  for (;;) {
    const wanted = selection.everything && limit > 0 ? Math.min(limit - items.length, STEP) : STEP;
    const page = store.list({ prefix, revision: pastOnly(revision), after: from, limit: wanted });
    const states = freshStates(stored, page.items);
    for (const item of states instanceof Promise ? await states : states) {
      if (limit > 0 && items.length === limit) {
        return { items, metadata: metadataOf({ revision, prefix, last: items.at(-1)! }) };
      }
      if (selection.matches(item.key, item.value)) items.push(item);
    }
    if (page.next === undefined) return { items, metadata: metadataOf({ revision, prefix }) };
    if (limit > 0 && items.length === limit) {
      const remaining = selection.everything ? page.remaining : undefined;
      return { items, metadata: metadataOf({ revision, prefix, last: items.at(-1)!, remaining }) };
    }
    from = page.next;
    await new Promise<void>((resolve) => request.plane.clock.endOfTurn(resolve));
  }
}

/** The states as their kind has them now. */
function freshStates(
  { keeping }: StoredKind,
  states: readonly KeyValue[],
): readonly KeyValue[] | Promise<readonly KeyValue[]> {
  return keeping === undefined ? states : refreshStates(keeping, states);
}

/** The one key of a list that names its object; none if no object can have the name. */
function onlyKey(
  request: ResourceRequest,
  { fields }: Pick<ListOptions, "fields">,
): readonly string[] | undefined {
  const { stored } = request.served;
  const name = fields.requiredValue("metadata.name");
  if (name === undefined || (request.namespace === "" && stored.namespaced)) return undefined;
  return name.includes("/") ? [] : [objectKeyIn(stored, request.namespace, name)];
}

/** The keys that can match, from the best index there is; undefined when every object must be seen. */
function candidateKeys(
  request: ResourceRequest,
  selection: Selection,
  revision: number,
): readonly string[] | undefined {
  const { stored } = request.served;
  const { store } = request.plane;
  if (selection.everything || revision !== store.revision) return undefined;
  if (stored.keeping?.isRemote === true) return undefined;
  const indexes = request.registry.indexesOf(stored);
  let best: readonly string[] | undefined;
  for (const { key, operator, values } of selection.labels.requirements) {
    if (operator !== "=" && operator !== "==" && operator !== "in") continue;
    best = shorter(best, indexes.keysOf({ label: key }, values));
  }
  for (const { field, operator, value } of selection.fields.requirements) {
    if (operator !== "=" || field.startsWith("metadata.")) continue;
    // The fields kept beside an object's bytes may be those of an older definition.
    if (stored.keeping !== undefined) continue;
    best = shorter(best, indexes.keysOf({ field }, [value]));
  }
  return best;
}

function shorter(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.length <= b.length ? a : b;
}

/** `last` is the last item of a list that goes on. */
function metadataOf({
  revision,
  prefix,
  last,
  remaining,
}: {
  revision: number;
  prefix: string;
  last?: KeyValue | undefined;
  remaining?: number | undefined;
}): ListMeta {
  const metadata: ListMeta = { resourceVersion: String(revision) };
  if (last !== undefined) {
    metadata.continue = printContinueToken({ revision, start: last.key.slice(prefix.length) });
    if (remaining !== undefined && remaining > 0) metadata.remainingItemCount = remaining;
  }
  return metadata;
}

function tooOld(options: ListOptions): ApiError {
  if (options.continueToken === "") {
    return ApiError.expired(`The resourceVersion for the provided list is too old.`);
  }
  const { start } = parseContinueToken(options.continueToken);
  return ApiError.expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
    printContinueToken({ revision: -1, start }),
  );
}
