import {
  ApiError,
  encodeJson,
  encodeJsonBytes,
  FieldError,
  FieldPath,
  type JsonObject,
  type KubernetesObject,
  type ListMeta,
  type ResourceVerb,
} from "@homeostat/object-model";
import type {
  Answer,
  ListPayload,
  ObjectPayload,
  Payload,
  WatchPayload,
} from "../answers/answer.ts";
import { deepFreeze } from "../answers/freeze.ts";
import { printedJson } from "../answers/object-payload.ts";
import { WatchLine } from "../answers/watch-line.ts";
import { convert } from "../conversion/convert.ts";
import type { Form, Offer, Representation } from "../http/negotiation.ts";
import type { Query } from "../http/query.ts";
import type { Plane } from "../registry/plane.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { hasTables, layoutOf } from "./layout-of.ts";
import { partialMetadata } from "./partial-metadata.ts";
import {
  asObject,
  type Column,
  type IncludeObject,
  rowOf,
  singleMetadata,
  type TableLayout,
  type TableRow,
} from "./table.ts";

/** What is answered, and to which question. */
export interface Place {
  readonly plane: Plane;
  readonly served: ServedResource;
  readonly subresource: string;
  readonly query: Query;
}

/** What the verb can answer with at this place. */
export function offerOf({ served, subresource }: Place, verb: ResourceVerb): Offer {
  const stream = verb === "watch";
  const route =
    served.custom !== undefined ? "custom" : stream || verb === "list" ? "list" : "object";
  return { route, stream, tables: hasTables(served, subresource) };
}

/** The answer in the form that was negotiated; refused if what it holds has no such form. */
export function represent(answer: Answer, { media, form }: Representation, place: Place): Answer {
  const { payload } = answer;
  if (form.kind === "object" || !isShapeable(payload)) return { ...answer, media };
  const shaped =
    form.kind === "table" ? asTable(payload, form, place) : asPartial(payload, form, place);
  return { ...answer, media, payload: shaped };
}

type TableForm = Extract<Form, { kind: "table" }>;
type PartialForm = Extract<Form, { kind: "partial" }>;
type Shapeable = ListPayload | ObjectPayload | WatchPayload;

/** What is no object stays what it is. */
function isShapeable(payload: Payload): payload is Shapeable {
  return payload.kind === "object" || payload.kind === "list" || payload.kind === "watch";
}

function asPartial(payload: Shapeable, form: PartialForm, { served, subresource }: Place): Payload {
  const { apiVersion, list } = form;
  if (payload.kind === "watch") {
    // One object is no list: whatever comes first ends the watch.
    if (list) return lineByLine(payload, () => undefined);
    const key = `partial ${apiVersion}`;
    return lineByLine(payload, (line) =>
      derivedLine(line, key, (object) => partialMetadata(internalForm(object, served), apiVersion)),
    );
  }
  if (payload.kind === "list") {
    if (list) return partialList(payload, apiVersion, served);
    throw wrongShape(
      `PartialObjectMetadata, but the requested object is a list (${goType(served, "List")})`,
    );
  }
  const object = payload.object();
  if (isStatus(object)) return payload;
  if (list) {
    // To Go, what has no type may be a list until it is looked at.
    if (served.custom !== undefined && subresource === "") {
      throw new ApiError({ message: "content is not a list", httpStatus: 500 });
    }
    const type = subresource === "scale" ? "*autoscaling.Scale" : goType(served, "");
    throw wrongShape(`PartialObjectMetadataList, but the requested object is not a list (${type})`);
  }
  return madePayload(partialMetadata(internalForm(object, served), apiVersion));
}

function partialList(
  payload: ListPayload,
  apiVersion: PartialForm["apiVersion"],
  served: ServedResource,
): ListPayload {
  const frame = {
    kind: "PartialObjectMetadataList",
    apiVersion,
    metadata: listMetadata(payload.frame.metadata),
  };
  function* items(): Generator<KubernetesObject> {
    for (const item of payload.items())
      yield partialMetadata(internalForm(item, served), apiVersion);
  }
  return {
    kind: "list",
    frame,
    items,
    // Messages of metadata alone are made of the whole object, of which they leave out the rest.
    itemJson: () => (hasOtherForm(served) ? items().map(printedJson) : payload.itemJson()),
    chunks: () => joinedChunks(`${encodeJson(frame).slice(0, -1)},"items":`, items(), "null"),
    object: () => {
      const all = [...items()];
      return deepFreeze({ ...frame, items: all.length === 0 ? null : all });
    },
  };
}

function asTable(payload: Shapeable, { apiVersion }: TableForm, place: Place): Payload {
  const include = includeOf(place.query);
  const rows = new Rows(place, { include, apiVersion });
  if (payload.kind === "watch") return tableWatch(payload, rows);
  if (payload.kind === "list") return tableList(payload, rows);
  const object = payload.object();
  if (isStatus(object)) return payload;
  return madePayload(rows.single(object, { columns: true }));
}

/** Makes rows of the objects of one answer. */
class Rows {
  readonly #place: Place;
  readonly #include: IncludeObject;
  readonly apiVersion: TableForm["apiVersion"];
  readonly layout: TableLayout;

  constructor(
    place: Place,
    options: { readonly include: IncludeObject; readonly apiVersion: TableForm["apiVersion"] },
  ) {
    this.#place = place;
    this.#include = options.include;
    this.apiVersion = options.apiVersion;
    this.layout = layoutOf(place.served, place.subresource);
  }

  /** What of a line is the same for all who ask for it. */
  get key(): string {
    return `table ${this.apiVersion} ${this.#include}`;
  }

  row(object: KubernetesObject): TableRow {
    const { served, plane } = this.#place;
    const printed = internalForm(object, served);
    const carried =
      this.#include === "Object" ? ordered(object, this.#place) : this.#carried(printed);
    return rowOf(this.layout, { printed, carried, now: plane.clock.now() });
  }

  single(object: KubernetesObject, { columns }: { readonly columns: boolean }): KubernetesObject {
    return asObject({
      kind: "Table",
      apiVersion: this.apiVersion,
      metadata: singleMetadata(object),
      columnDefinitions: columns ? this.layout.columns : null,
      rows: [this.row(object)],
    });
  }

  #carried(object: KubernetesObject): KubernetesObject | null {
    // The end of the initial state is told by an annotation, whatever is asked for.
    if (this.#include === "None" && !endsInitialState(object)) return null;
    return partialMetadata(object, this.apiVersion);
  }
}

function tableList(payload: ListPayload, rows: Rows): ListPayload {
  const columnDefinitions: readonly Column[] = rows.layout.columns;
  const metadata = listMetadata(payload.frame.metadata);
  const frame = { kind: "Table", apiVersion: rows.apiVersion, metadata };
  function* made(): Iterable<TableRow> {
    const { order } = rows.layout;
    const items = order === undefined ? payload.items() : [...payload.items()].sort(order);
    for (const item of items) yield rows.row(item);
  }
  const whole = (): KubernetesObject => {
    const all = [...made()];
    return asObject({
      ...frame,
      kind: "Table",
      columnDefinitions,
      rows: all.length === 0 && rows.layout.rowsAreNull === true ? null : all,
    });
  };
  return {
    kind: "list",
    frame,
    // A table has rows in the place of items.
    items: () => [],
    itemJson: () => [],
    chunks: () => {
      const opening = `${encodeJson({ ...frame, columnDefinitions }).slice(0, -1)},"rows":`;
      return joinedChunks(opening, made(), rows.layout.rowsAreNull === true ? "null" : "[]");
    },
    object: () => deepFreeze(whole()),
  };
}

/** The first line alone says what the columns are. */
function tableWatch(payload: WatchPayload, rows: Rows): WatchPayload {
  let columns = true;
  return lineByLine(payload, (line) => {
    const key = `${rows.key} ${columns}`;
    const first = columns;
    columns = rows.layout.repeatsColumns === true;
    return derivedLine(line, key, (object) => rows.single(object, { columns: first }));
  });
}

/** Ends at a line of which nothing can be made. Errors are told as they are. */
function lineByLine(
  payload: WatchPayload,
  shape: (line: WatchLine) => WatchLine | undefined,
): WatchPayload {
  return {
    kind: "watch",
    end: () => payload.end(),
    next: async () => {
      const lines = await payload.next();
      if (lines === undefined) return undefined;
      const shaped: WatchLine[] = [];
      for (const line of lines) {
        const made = line.type === "ERROR" ? line : shape(line);
        if (made === undefined) {
          payload.end();
          break;
        }
        shaped.push(made);
      }
      return shaped.length === 0 ? undefined : shaped;
    },
  };
}

/** Made when first read, from the object that all share. */
function derivedLine(
  line: WatchLine,
  key: string,
  shape: (object: KubernetesObject) => KubernetesObject,
): WatchLine {
  return line.derive(
    key,
    ({ type }) => new WatchLine({ type, object: () => shape(line.frame.object) }),
  );
}

/** Whichever comes first: so much text, or so many objects read for it. */
const CHUNK = 256 * 1024;
const CHUNK_MEMBERS = 1000;

function* joinedChunks(
  opening: string,
  members: Iterable<unknown>,
  ofNone: "[]" | "null",
): Iterable<Uint8Array> {
  let text = opening;
  let count = 0;
  for (const member of members) {
    text += `${count === 0 ? "[" : ","}${encodeJson(member)}`;
    count += 1;
    if (text.length < CHUNK && count % CHUNK_MEMBERS !== 0) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(`${text}${count === 0 ? ofNone : "]"}}\n`);
}

function madePayload(object: KubernetesObject): ObjectPayload {
  return {
    kind: "object",
    bytes: () => encodeJsonBytes(object),
    json: () => printedJson(object),
    object: () => deepFreeze(object),
  };
}

function listMetadata({ resourceVersion, continue: next, remainingItemCount }: ListMeta): ListMeta {
  return {
    ...(resourceVersion && { resourceVersion }),
    ...(next && { continue: next }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

function includeOf(query: Query): IncludeObject {
  const value = query.get("includeObject");
  switch (value) {
    case "":
      return "Metadata";
    case "Metadata":
    case "None":
    case "Object":
      return value;
    default: {
      const text = "must be 'Metadata', 'Object', 'None', or empty";
      const error = FieldError.invalid(FieldPath.of("includeObject"), value, text);
      throw ApiError.badRequest(
        `Unable to convert to Table as requested: ${error.field}: ${error.body}`,
      );
    }
  }
}

/**
 * As kube-apiserver has the object in memory: in the version it is kept in, without what only the
 * served version says by annotations.
 */
function internalForm(
  object: KubernetesObject,
  { isStorageVersion, stored }: ServedResource,
): KubernetesObject {
  const kept = isStorageVersion ? object : convert(object, stored.apiVersion);
  const annotations = kept.metadata?.annotations;
  if (stored.kind !== "DaemonSet" || annotations?.[TEMPLATE_GENERATION] === undefined) return kept;
  const { [TEMPLATE_GENERATION]: _, ...others } = annotations;
  return { ...kept, metadata: { ...kept.metadata, annotations: others } };
}

/** Whether {@link internalForm} may be another one than what is kept, or its metadata is of no type. */
function hasOtherForm({ isStorageVersion, stored, custom }: ServedResource): boolean {
  return !isStorageVersion || stored.kind === "DaemonSet" || custom !== undefined;
}

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

/** With its version in the place where it prints. What a subresource made is printed already. */
function ordered(object: KubernetesObject, { served, subresource }: Place): KubernetesObject {
  if (subresource === "scale") return object;
  return served.codec.print(object as unknown as JsonObject);
}

function isStatus({ kind, apiVersion }: KubernetesObject): boolean {
  return kind === "Status" && apiVersion === "v1";
}

function endsInitialState({ metadata }: KubernetesObject): boolean {
  return metadata?.annotations?.["k8s.io/initial-events-end"] === "true";
}

function wrongShape(rest: string): ApiError {
  return new ApiError({ reason: "NotAcceptable", message: `you requested ${rest}` });
}

/** What Go calls the type of the objects of a kind, or of lists of them. */
function goType({ custom, stored }: ServedResource, suffix: "" | "List"): string {
  if (custom !== undefined) return `*unstructured.Unstructured${suffix}`;
  const { group, kind } = stored.groupKind;
  const name = group === "" || group === "events.k8s.io" ? "core" : group.split(".")[0]!;
  return `*${name}.${kind}${suffix}`;
}
