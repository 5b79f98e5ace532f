const EXTRA_SPACE =
  "the provided Authorization header contains extra space before the bearer token, and is ignored";
const PROTOCOL_PREFIX = "base64url.bearer.authorization.k8s.io.";

/** The bearer token of an Authorization header; undefined where it holds none. */
export function bearerOfHeader(header: string | undefined, warnings: string[]): string | undefined {
  if (header === undefined) return undefined;
  const [scheme = "", token, ...rest] = header.trim().split(" ");
  if (token === undefined || scheme.toLowerCase() !== "bearer") return undefined;
  if (token !== "") return token;
  if (rest.length > 0) warnings.push(EXTRA_SPACE);
  return undefined;
}

/**
 * The bearer token among the protocols of a WebSocket, for browsers, which can send no header.
 * Undefined where there is none; "" where there is one that cannot be good.
 */
export function bearerOfProtocols(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const protocols = header.split(",").map((each) => each.trim());
  const tokens = protocols.filter((each) => each.startsWith(PROTOCOL_PREFIX));
  if (tokens.length === 0) return undefined;
  const encoded = tokens[0]!.slice(PROTOCOL_PREFIX.length);
  // One has to be left that can be answered with.
  const isUsable = tokens.length === 1 && protocols.length > 1 && /^[\w-]*$/.test(encoded);
  if (!isUsable) return "";
  const bytes = Buffer.from(encoded, "base64url");
  const text = bytes.toString();
  if (text === "") return undefined;
  return Buffer.from(text).equals(bytes) ? text : "";
}
