import type { NodeHeaders } from "./node-connector.ts";

/** Headers that are between two neighbours, and end with the connection. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** Who the caller is, is between it and this server. */
const OF_THE_CALLER = /^(?:authorization|impersonate-.*|x-remote-.*)$/;

/** What browsers would take for this server's word. */
const OF_OTHER_ORIGINS: ReadonlySet<string> = new Set([
  "access-control-allow-credentials",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
]);

/** How a WebSocket client that cannot set headers shows its token. */
const TOKEN_PROTOCOL = "base64url.bearer.authorization.k8s.io.";

/** What of a caller's headers goes on to a node or a workload: never who it is. */
export function headersToNode(headers: NodeHeaders): Record<string, string | readonly string[]> {
  const named = namedByConnection(headers["connection"]);
  const passed = Object.entries(headers)
    .filter(([name]) => !name.startsWith(":") && !OF_THE_CONNECTION.has(name) && !named.has(name))
    .filter(([name]) => !OF_THE_CALLER.test(name) && name !== "content-length")
    .map(([name, value]) => [name, name === PROTOCOLS ? withoutToken(value) : value] as const)
    .filter(([name, value]) => name !== PROTOCOLS || value !== "");
  return Object.fromEntries(passed);
}

/** The same where the caller wants another protocol: what it wants stays. */
export function upgradeHeadersToNode(
  headers: NodeHeaders,
): Record<string, string | readonly string[]> {
  const { upgrade = "" } = headers;
  return { ...headersToNode(headers), connection: "Upgrade", upgrade };
}

/** What of a workload's headers goes back to the caller. */
export function headersToCaller(headers: NodeHeaders): Record<string, string | readonly string[]> {
  const named = namedByConnection(headers["connection"]);
  const passed = Object.entries(headers).filter(
    ([name]) => !OF_THE_CONNECTION.has(name) && !named.has(name) && !OF_OTHER_ORIGINS.has(name),
  );
  return Object.fromEntries(passed);
}

const PROTOCOLS = "sec-websocket-protocol";

function withoutToken(value: string | readonly string[]): string {
  return listOf(value)
    .filter((each) => !each.startsWith(TOKEN_PROTOCOL))
    .join(", ");
}

/** A Connection header may name more headers that are its own. */
function namedByConnection(value: string | readonly string[] | undefined): ReadonlySet<string> {
  return new Set(value === undefined ? [] : listOf(value).map((each) => each.toLowerCase()));
}

function listOf(value: string | readonly string[]): string[] {
  return [value]
    .flat()
    .flatMap((each) => each.split(","))
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
