import { FieldSelector } from "@homeostat/object-model";
import type { KeyValue } from "@homeostat/store";
import type { Answer, WatchPayload } from "../answers/answer.ts";
import { Selection } from "../registry/selection.ts";
import { listPrefix } from "../registry/storage-key.ts";
import { WatchSession } from "../watch/watch-session.ts";
import { collect } from "./list.ts";
import { type ListOptions, readListOptions } from "./list-options.ts";
import { reachRevision } from "./reached-revision.ts";
import type { ResourceRequest } from "./resource-request.ts";

export async function watch(request: ResourceRequest): Promise<Answer> {
  const { served, namespace, plane, signal } = request;
  const options = ofName(request.name, readListOptions(request.query, served, { watch: true }));
  const start = await startOf(request, options);
  const session = new WatchSession({
    plane,
    served,
    prefix: listPrefix(served.stored, namespace),
    selection: new Selection(served.stored, options),
    ...start,
    markInitialEnd: options.sendInitialEvents === true && options.allowWatchBookmarks,
    bookmarks: options.allowWatchBookmarks,
    timeoutSeconds: options.timeoutSeconds,
    minSeconds: plane.settings.minWatchSeconds,
    signal,
    right: request.right,
    changes: request.changes,
    sessions: request.sessions,
  });
  return { status: 200, payload: watchPayload(session, signal) };
}

/** `/api/v1/watch/namespaces/a/pods/web` is about one object. */
function ofName(name: string, options: ListOptions): ListOptions {
  if (name === "") return options;
  const { requirements } = options.fields;
  const own = { field: "metadata.name", operator: "=", value: name } as const;
  return { ...options, fields: FieldSelector.fromRequirements([...requirements, own]) };
}

interface Start {
  readonly initial: readonly KeyValue[] | undefined;
  readonly after: number;
}

async function startOf(request: ResourceRequest, options: ListOptions): Promise<Start> {
  const { plane, signal } = request;
  const { resourceVersion, sendInitialEvents } = options;
  const version = resourceVersion === "" ? 0 : Number(resourceVersion);
  const wantsInitial = sendInitialEvents ?? version === 0;
  if (!wantsInitial)
    return { initial: undefined, after: version === 0 ? plane.store.revision : version };
  if (version > 0) await reachRevision(resourceVersion, plane, signal);
  const { items, metadata } = await collect(request, {
    ...options,
    resourceVersion: "",
    resourceVersionMatch: "",
    limit: 0,
    continueToken: "",
  });
  return { initial: items, after: Number(metadata.resourceVersion) };
}

function watchPayload(session: WatchSession, signal: AbortSignal | undefined): WatchPayload {
  return {
    kind: "watch",
    next: async () => {
      const lines = await session.next();
      signal?.throwIfAborted();
      return lines;
    },
    end: () => session.end(),
  };
}
