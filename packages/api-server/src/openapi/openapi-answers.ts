import type { Answer } from "../answers/answer.ts";
import { holdsTag } from "../discovery/entity-tag.ts";
import { takesMedia } from "../discovery/takes-media.ts";
import { parseAccept } from "../http/negotiation.ts";
import type { PathRequest } from "../path-route.ts";
import type { Plane } from "../registry/plane.ts";
import { httpDate } from "./http-date.ts";
import { type KeptDocument, OpenApiDocuments } from "./openapi-documents.ts";

const YEAR = 365 * 86_400_000;
const PROTOBUF_3 = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
const PROTOBUF_2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const NOTHING = new Uint8Array();

type Headers = Record<string, string>;

/** What is answered at `/openapi/v2`, at `/openapi/v3` and below. */
export class OpenApiAnswers {
  readonly #plane: Plane;
  readonly #documents: OpenApiDocuments;
  /** When documents that never change came to be. */
  readonly #since: number;

  constructor(plane: Plane) {
    this.#plane = plane;
    this.#documents = new OpenApiDocuments(plane);
    this.#since = plane.clock.now();
  }

  async version3(asked: PathRequest): Promise<Answer> {
    if (asked.path === "/openapi/v3") return this.#list();
    const name = asked.path.slice("/openapi/v3/".length);
    const document = await this.#documents.find(name);
    if (document === undefined) return bytes(404, {});
    const headers: Headers = { vary: "Accept" };
    const form = formOf(asked, formsOf(PROTOBUF_3));
    if (form === undefined) return bytes(406, headers);
    const hash = asked.query.get("hash");
    if (hash !== "" && hash !== document.tag) {
      headers["etag"] = `"${document.tag}"`;
      headers["location"] = addressOf(name, document);
      return {
        status: 301,
        headers,
        payload: { kind: "bytes", contentType: form, bytes: NOTHING },
      };
    }
    if (hash !== "") {
      // The address holds the hash: what is there never changes.
      headers["cache-control"] = "public, immutable";
      headers["expires"] = httpDate(this.#plane.clock.now() + YEAR, "UTC");
    }
    return this.#serve(asked, { headers, form, document });
  }

  async everything(asked: PathRequest): Promise<Answer> {
    const headers: Headers = { vary: "Accept-Encoding, Accept" };
    const form = formOf(asked, formsOf(PROTOBUF_2));
    if (form === undefined) return bytes(406, headers);
    const document = await this.#documents.everything();
    return this.#serve(asked, { headers, form, document });
  }

  async #list(): Promise<Answer> {
    const paths = Array.from(await this.#documents.list(), ([name, document]) => [
      name,
      { serverRelativeURL: addressOf(name, document) },
    ]);
    const text = JSON.stringify({ paths: Object.fromEntries(paths) });
    const headers = { "last-modified": httpDate(this.#plane.clock.now()) };
    const contentType = "text/plain; charset=utf-8";
    return { status: 200, headers, payload: { kind: "text", contentType, text } };
  }

  #serve(
    { request }: PathRequest,
    { headers, form, document }: { headers: Headers; form: string; document: KeptDocument },
  ): Answer {
    headers["etag"] = `"${document.tag}"`;
    if (holdsTag(request.headers?.["if-none-match"], document.tag)) return bytes(304, headers);
    headers["last-modified"] = httpDate(document.madeAt ?? this.#since);
    return {
      status: 200,
      headers,
      payload: {
        kind: "bytes",
        contentType: form,
        bytes: form === "application/json" ? document.bytes : document.encoded(),
      },
    };
  }
}

function addressOf(name: string, { tag }: KeptDocument): string {
  return `/openapi/v3/${name}?hash=${tag}`;
}

/** What can be asked for, by what is answered then: protobuf has an older name with a sign in it. */
function formsOf(protobuf: string): ReadonlyMap<string, string> {
  const older = protobuf.replace(".v1.0", "@v1.0");
  return new Map([
    ["application/json", "application/json"],
    [protobuf, protobuf],
    [older, protobuf],
  ]);
}

/** The first of the offered forms that the client takes. */
function formOf(
  { request }: PathRequest,
  offered: ReadonlyMap<string, string>,
): string | undefined {
  const accept = request.headers?.["accept"] ?? "";
  for (const range of parseAccept(accept === "" ? "*/*" : accept)) {
    for (const [asked, form] of offered) if (takesMedia(range, asked)) return form;
  }
  return undefined;
}

/** An answer without a body. */
function bytes(status: number, headers: Headers): Answer {
  return { status, headers, payload: { kind: "bytes", contentType: "", bytes: NOTHING } };
}
