import type { Clock } from "@homeostat/concurrency";
import {
  decodeJson,
  encodeJsonBytes,
  type JsonObject,
  listBuiltinResources,
} from "@homeostat/object-model";
import { entityTag } from "../discovery/entity-tag.ts";
import type { Plane } from "../registry/plane.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { builtinDocuments } from "./builtin-documents.ts";
import { Components } from "./components.ts";
import { customDocument } from "./custom-document.ts";
import { Swagger } from "./swagger.ts";
import { encodeSwagger } from "./swagger-protobuf.ts";
import { encodeVersion3 } from "./version3-protobuf.ts";

/** A document as it leaves. */
export interface KeptDocument {
  /** JSON. */
  readonly bytes: Uint8Array;
  /** The same in protobuf, made when it is first asked for. */
  readonly encoded: () => Uint8Array;
  /** Changes whenever the document does. */
  readonly tag: string;
  /** Absent for what was always so. */
  readonly madeAt?: number;
}

interface CustomDocument extends KeptDocument {
  /** What it describes; it is made anew as soon as something else is served. */
  readonly of: readonly ServedResource[];
}

/** Of built-in resources: the same for every plane, and made once. */
const builtinMade = new Map<string, KeptDocument>();

/** The documents of one plane, made when they are asked for. Making one is slow: others get a turn. */
export class OpenApiDocuments {
  readonly #plane: Plane;
  #builtin: Promise<ReadonlyMap<string, KeptDocument>> | undefined;
  readonly #custom = new Map<string, CustomDocument>();
  #everything: CustomDocument | undefined;

  constructor(plane: Plane) {
    this.#plane = plane;
  }

  /** By its name in the list, `apis/apps/v1`. */
  async find(name: string): Promise<KeptDocument | undefined> {
    const known = (await this.#makeBuiltin()).get(name);
    if (known !== undefined) return known;
    const resources = this.#customVersions().get(name);
    return resources && this.#customDocument(name, resources);
  }

  /** All of them, by name. */
  async list(): Promise<ReadonlyMap<string, KeptDocument>> {
    const all = new Map(await this.#makeBuiltin());
    for (const [name, resources] of this.#customVersions()) {
      if (all.has(name)) continue;
      all.set(name, this.#customDocument(name, resources));
      await endOfTurn(this.#plane.clock);
    }
    return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Everything in one document of OpenAPI 2. */
  async everything(): Promise<KeptDocument> {
    const of = [...this.#plane.table.listCustom()];
    if (this.#everything !== undefined && isSame(this.#everything.of, of)) return this.#everything;
    const swagger = new Swagger();
    for (const make of builtinDocuments().values()) {
      swagger.add(make(), { isCustom: false });
      await endOfTurn(this.#plane.clock);
    }
    for (const resources of Map.groupBy(of, versionName).values()) {
      swagger.add(customDocument(resources, 2), { isCustom: true });
      await endOfTurn(this.#plane.clock);
    }
    const kept = keep(swagger.document(), encodeSwagger);
    const made = { ...kept, of, madeAt: this.#plane.clock.now() };
    this.#everything = made;
    return made;
  }

  #makeBuiltin(): Promise<ReadonlyMap<string, KeptDocument>> {
    this.#builtin ??= makeBuiltin(this.#plane.clock);
    return this.#builtin;
  }

  #customDocument(name: string, of: readonly ServedResource[]): KeptDocument {
    const known = this.#custom.get(name);
    if (known !== undefined && isSame(known.of, of)) return known;
    const kept = keep(customDocument(of), encodeVersion3);
    const made = { ...kept, of, madeAt: this.#plane.clock.now() };
    this.#custom.set(name, made);
    return made;
  }

  #customVersions(): ReadonlyMap<string, readonly ServedResource[]> {
    const versions = Map.groupBy(this.#plane.table.listCustom(), versionName);
    for (const name of this.#custom.keys()) if (!versions.has(name)) this.#custom.delete(name);
    return versions;
  }
}

/** Takes the same turns whether they are made or known: a plane repeats itself. */
async function makeBuiltin(clock: Clock): Promise<ReadonlyMap<string, KeptDocument>> {
  // Types first, which are remembered: all those of a large group at once would hold others up.
  for (const { schema } of listBuiltinResources()) {
    if (builtinMade.size === 0) new Components([]).refer(schema);
    await endOfTurn(clock);
  }
  for (const [name, make] of builtinDocuments()) {
    if (!builtinMade.has(name)) builtinMade.set(name, keep(make(), encodeVersion3));
    await endOfTurn(clock);
  }
  return builtinMade;
}

function versionName({ definition }: ServedResource): string {
  return `apis/${definition.group}/${definition.version}`;
}

/** Only bytes are kept: the document itself is ten times as large. */
function keep(document: JsonObject, encode: (document: JsonObject) => Uint8Array): KeptDocument {
  const bytes = encodeJsonBytes(document);
  let encoded: Uint8Array | undefined;
  return {
    bytes,
    tag: entityTag(bytes),
    encoded: () => (encoded ??= encode(decodeJson(bytes) as JsonObject)),
  };
}

function isSame(a: readonly ServedResource[], b: readonly ServedResource[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}

function endOfTurn(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.endOfTurn(resolve));
}
