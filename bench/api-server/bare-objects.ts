// What the bare handler keeps: the bytes it serves, by collection ("pods/NAMESPACE") and name.
import type { Store } from "@homeostat/store";
import type { BareAnswer } from "./bare-exchange.ts";

interface Kept {
  readonly bytes: Buffer;
  readonly revision: number;
  readonly uid: string;
  readonly labels: readonly string[];
}

interface Collection {
  readonly objects: Map<string, Kept>;
  /** The names in order; undefined when it has to be made again. */
  sorted: string[] | undefined;
  /** "key=value" -> names. */
  readonly labels: Map<string, Set<string>>;
  readonly watchers: Set<(event: Buffer) => void>;
}

interface SentObject {
  metadata: { name: string; labels?: Record<string, string> } & Record<string, unknown>;
  status?: unknown;
}

interface Key {
  readonly collection: string;
  readonly name: string;
}

const pieceSize = 256 * 1024;
const comma = Buffer.from(",");
const listEnd = Buffer.from("]}");

export class BareObjects {
  readonly #store: Store;
  readonly #collections = new Map<string, Collection>();
  #uids = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async create(collection: string, body: Buffer): Promise<BareAnswer> {
    const object = JSON.parse(body.toString()) as SentObject;
    const { name } = object.metadata;
    this.#uids += 1;
    const uid = `00000000-0000-4000-8000-${String(this.#uids).padStart(12, "0")}`;
    const key = { collection, name };
    const text = stringify(object, uid);
    const result = await this.#store.create(`/${collection}/${name}`, Buffer.from(text));
    if (result.outcome !== "created") return this.refuse(409, name);
    return { status: 201, body: this.#keep(key, { object, text, uid, ...result }) };
  }

  async update(key: Key, body: Buffer): Promise<BareAnswer> {
    const object = JSON.parse(body.toString()) as SentObject;
    const kept = this.#collection(key.collection).objects.get(key.name);
    if (kept === undefined) return this.refuse(404, key.name);
    return this.#replace({ key, object, kept, expected: object.metadata["resourceVersion"] });
  }

  async updateStatus(key: Key, body: Buffer): Promise<BareAnswer> {
    const sent = JSON.parse(body.toString()) as SentObject;
    const kept = this.#collection(key.collection).objects.get(key.name);
    if (kept === undefined) return this.refuse(404, key.name);
    const object = { ...(JSON.parse(kept.bytes.toString()) as SentObject), status: sent.status };
    return this.#replace({ key, object, kept, expected: sent.metadata["resourceVersion"] });
  }

  get(key: Key): BareAnswer {
    const kept = this.#collection(key.collection).objects.get(key.name);
    return kept === undefined ? this.refuse(404, key.name) : { status: 200, body: kept.bytes };
  }

  list(name: string, query: URLSearchParams): BareAnswer {
    const collection = this.#collection(name);
    const selector = query.get("labelSelector");
    collection.sorted ??= [...collection.objects.keys()].sort();
    let names: readonly string[] = collection.sorted;
    if (selector !== null) names = [...(collection.labels.get(selector) ?? [])].sort();
    const limit = Number(query.get("limit") ?? 0);
    let next = "";
    if (limit > 0) {
      const from = placeOf(names, query.get("continue") ?? "");
      next = names[from + limit] ?? "";
      names = names.slice(from, from + limit);
    }
    const metadata = { resourceVersion: String(this.#store.revision), continue: next };
    const head = `{"kind":"List","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[`;
    return { status: 200, body: listPieces(Buffer.from(head), collection, names) };
  }

  watch(name: string): BareAnswer {
    const { watchers } = this.#collection(name);
    return {
      status: 200,
      follow: (write) => {
        watchers.add(write);
        return () => void watchers.delete(write);
      },
    };
  }

  refuse(code: number, message: string): BareAnswer {
    const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Bare", message };
    return { status: code, body: Buffer.from(JSON.stringify({ ...status, code })) };
  }

  async #replace(change: {
    key: Key;
    object: SentObject;
    kept: Kept;
    expected: unknown;
  }): Promise<BareAnswer> {
    const { key, object, kept } = change;
    const text = stringify(object, kept.uid);
    const expectedRevision = Number(change.expected);
    const path = `/${key.collection}/${key.name}`;
    const result = await this.#store.update(path, Buffer.from(text), { expectedRevision });
    if (result.outcome !== "updated") return this.refuse(409, key.name);
    return { status: 200, body: this.#keep(key, { object, text, uid: kept.uid, ...result }) };
  }

  /** Remembers a committed object, tells the watchers, and answers the bytes to serve. */
  #keep(
    key: Key,
    made: { object: SentObject; text: string; uid: string; revision: number; outcome: string },
  ): Buffer {
    const collection = this.#collection(key.collection);
    const at = made.text.indexOf(versionPlace) + versionPlace.length - 1;
    const bytes = Buffer.from(made.text.slice(0, at) + made.revision + made.text.slice(at));
    const before = collection.objects.get(key.name);
    if (before === undefined) collection.sorted = undefined;
    const labels = Object.entries(made.object.metadata.labels ?? {}).map(([k, v]) => `${k}=${v}`);
    for (const label of before?.labels ?? []) collection.labels.get(label)?.delete(key.name);
    for (const label of labels) {
      const names = collection.labels.get(label);
      if (names === undefined) collection.labels.set(label, new Set([key.name]));
      else names.add(key.name);
    }
    collection.objects.set(key.name, { bytes, labels, revision: made.revision, uid: made.uid });
    if (collection.watchers.size > 0) {
      const type = made.outcome === "created" ? "ADDED" : "MODIFIED";
      const event = Buffer.concat([
        Buffer.from(`{"type":"${type}","object":`),
        bytes,
        Buffer.from("}\n"),
      ]);
      for (const write of collection.watchers) write(event);
    }
    return bytes;
  }

  #collection(name: string): Collection {
    let found = this.#collections.get(name);
    if (found === undefined) {
      found = { objects: new Map(), sorted: undefined, labels: new Map(), watchers: new Set() };
      this.#collections.set(name, found);
    }
    return found;
  }
}

/** Where the name is in sorted names, or would be. */
function placeOf(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle]! < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

const versionPlace = '"resourceVersion":""';

/** The object as it is stored: with its uid, and an empty place for its version. */
function stringify(object: SentObject, uid: string): string {
  const { apiVersion, kind, metadata, ...rest } = object as SentObject & Record<string, unknown>;
  const { name, labels, annotations } = metadata;
  const shown = { name, uid, resourceVersion: "", labels, annotations };
  return JSON.stringify({ apiVersion, kind, metadata: shown, ...rest });
}

/** A list in pieces of some hundred kilobytes, so that a large one is not copied as a whole. */
function* listPieces(
  head: Buffer,
  collection: Collection,
  names: readonly string[],
): Generator<Buffer> {
  let piece = Buffer.allocUnsafe(pieceSize);
  let used = head.copy(piece);
  for (const [index, name] of names.entries()) {
    const { bytes } = collection.objects.get(name)!;
    if (used + bytes.length + 8 > piece.length) {
      yield piece.subarray(0, used);
      piece = Buffer.allocUnsafe(Math.max(pieceSize, bytes.length + 8));
      used = 0;
    }
    if (index > 0) used += comma.copy(piece, used);
    used += bytes.copy(piece, used);
  }
  used += listEnd.copy(piece, used);
  yield piece.subarray(0, used);
}
