/** What net/url says of a text that is no URL. */
export class UrlError extends Error {
  readonly code = "CEL_URL_PARSE";
  override readonly name = "UrlError";
}
