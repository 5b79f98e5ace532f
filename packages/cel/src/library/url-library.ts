import { BOOL, listOf, mapOf, opaque, STRING, type Type } from "../expression-types/type.ts";
import { withoutStacks } from "../text/without-stacks.ts";
import { parseRequestUri, parseUrl } from "../url/parse-url.ts";
import type { ParsedUrl } from "../url/parsed-url.ts";
import { UrlError } from "../url/url-error.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { ArrayList } from "../values/list-value.ts";
import { EntryMap } from "../values/map-value.ts";
import type { OpaqueValue, Value } from "../values/value.ts";
import { textAt } from "./call-arguments.ts";
import { COPIES_TEXT } from "./call-costs.ts";
import type { FunctionDeclaration, Library } from "./library.ts";

const URL_TYPE: Type = opaque("kubernetes.URL");

/** Equal when they print alike. */
class UrlValue implements OpaqueValue {
  readonly celType: Type = URL_TYPE;
  readonly url: ParsedUrl;

  constructor(url: ParsedUrl) {
    this.url = url;
  }

  equals(other: Value): boolean | Failure {
    if (!(other instanceof UrlValue)) return NO_SUCH_OVERLOAD;
    return this.url.toString() === other.url.toString();
  }

  toString(): string {
    return this.url.toString();
  }
}

/** `url('https://example.com:80/').getHost()`: absolute URLs and absolute paths. */
export const URL_LIBRARY: Library = {
  name: "kubernetes.urls",
  functions: [
    {
      name: "url",
      overloads: [
        {
          id: "string_to_url",
          member: false,
          params: [STRING],
          result: URL_TYPE,
          call: (args) => toUrl(textAt(args, 0)),
          ...COPIES_TEXT,
        },
      ],
    },
    {
      name: "isURL",
      overloads: [
        {
          id: "is_url_string",
          member: false,
          params: [STRING],
          result: BOOL,
          call: (args) => !(toUrl(textAt(args, 0), { onlyRequest: true }) instanceof Failure),
        },
      ],
    },
    part({ name: "getScheme", id: "url_get_scheme", read: (url) => url.scheme }),
    part({ name: "getHost", id: "url_get_host", read: (url) => url.host }),
    part({ name: "getHostname", id: "url_get_hostname", read: (url) => url.hostname }),
    part({ name: "getPort", id: "url_get_port", read: (url) => url.port }),
    part({ name: "getEscapedPath", id: "url_get_escaped_path", read: (url) => url.escapedPath }),
    part({
      name: "getQuery",
      id: "url_get_query",
      read: queryOf,
      result: mapOf(STRING, listOf(STRING)),
    }),
  ],
};

function part(accessor: {
  name: string;
  id: string;
  read: (url: ParsedUrl) => Value;
  result?: Type;
}): FunctionDeclaration {
  const { name, id, read, result = STRING } = accessor;
  const call = ([value]: readonly Value[]): Value => read((value as UrlValue).url);
  return { name, overloads: [{ id, member: true, params: [URL_TYPE], result, call }] };
}

/**
 * Read twice: only as a request's address is a URL valid or not, only as a reference is its
 * fragment told from its path.
 */
function toUrl(text: string, options?: { onlyRequest: boolean }): UrlValue | Failure {
  try {
    const isRequest = options?.onlyRequest === true;
    return withoutStacks(() => {
      const url = parseRequestUri(text);
      return new UrlValue(isRequest ? url : parseUrl(text));
    });
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return new Failure(`URL parse error during conversion from string: ${error.message}`);
  }
}

function queryOf(url: ParsedUrl): Value {
  const entries: [Value, Value][] = [];
  for (const [key, values] of url.query) entries.push([key, new ArrayList(values)]);
  return EntryMap.of(entries);
}
