import { FieldSelector, type WatchFrame } from "@homeostat/object-model";
import type { KeyValue } from "@homeostat/store";
import type { Answer, WatchPayload } from "../answers/answer.ts";
import { Selection } from "../registry/selection.ts";
import { listPrefix } from "../registry/storage-key.ts";
import { WatchSession } from "../watch/watch-session.ts";
import type { WatchLine } from "../watch/watched-change.ts";
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
    signal,
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

/** The session as bytes or frames; whoever stops reading ends it, and so does a state that cannot be read. */
function watchPayload(session: WatchSession, signal: AbortSignal | undefined): WatchPayload {
  const end = (): Promise<{ done: true; value: undefined }> => {
    session.end();
    return Promise.resolve({ done: true, value: undefined });
  };
  const rendered = async <T>(
    render: (lines: readonly WatchLine[]) => T,
  ): Promise<T | undefined> => {
    const lines = await session.next();
    signal?.throwIfAborted();
    try {
      return lines && render(lines);
    } catch (error) {
      session.end();
      throw error;
    }
  };
  return {
    kind: "watch",
    chunks: () => {
      const iterator: AsyncIterableIterator<Uint8Array> = {
        [Symbol.asyncIterator]: () => iterator,
        next: async () => {
          const value = await rendered((lines) =>
            lines.length === 1 ? lines[0]!.bytes : Buffer.concat(lines.map((line) => line.bytes)),
          );
          return value === undefined ? end() : { done: false, value };
        },
        return: end,
      };
      return iterator;
    },
    frames: () => {
      let pending: WatchFrame[] = [];
      const iterator: AsyncIterableIterator<WatchFrame> = {
        [Symbol.asyncIterator]: () => iterator,
        next: async () => {
          while (pending.length === 0) {
            const frames = await rendered((lines) => lines.map((line) => line.frame));
            if (frames === undefined) return end();
            pending = frames;
          }
          return { done: false, value: pending.shift()! };
        },
        return: end,
      };
      return iterator;
    },
  };
}
