/**
 * Whether Go's url.ParseRequestURI takes the text: an absolute URI or an absolute path. Only what
 * makes it refuse is looked at.
 */
export function isRequestUri(text: string): boolean {
  if (text === "" || hasControl(text)) return false;
  if (text === "*") return true;
  const colon = schemeEnd(text);
  if (colon === "missing") return false;
  const hasScheme = colon > 0;
  const rest = text.slice(hasScheme ? colon + 1 : 0);
  const question = rest.indexOf("?");
  const path = question < 0 ? rest : rest.slice(0, question);
  if (!path.startsWith("/")) return hasScheme;
  if (!path.startsWith("//") || (!hasScheme && path.startsWith("///"))) return isEscaped(path);
  if (!hasScheme) return isEscaped(path);
  const slash = path.indexOf("/", 2);
  const authority = path.slice(2, slash < 0 ? undefined : slash);
  return isAuthority(authority) && isEscaped(slash < 0 ? "" : path.slice(slash));
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** Where the scheme ends; 0 where there is none. */
function schemeEnd(text: string): number | "missing" {
  const scheme = SCHEME.exec(text)?.[0].length ?? 0;
  if (text[scheme] !== ":") return 0;
  return scheme === 0 ? "missing" : scheme;
}

const SCHEME = /^[a-zA-Z][a-zA-Z0-9+\-.]*/;

/** Every percent sign begins an escape. */
function isEscaped(text: string): boolean {
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) {
    if (!/^%[0-9a-fA-F]{2}/.test(text.slice(at, at + 3))) return false;
  }
  return true;
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  if (at >= 0) {
    const user = authority.slice(0, at);
    if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !isEscaped(user)) return false;
  }
  return isHost(authority.slice(at + 1));
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) {
    const end = host.lastIndexOf("]");
    return (
      end > 0 &&
      isPort(host.slice(end + 1)) &&
      /^\[[0-9a-fA-F:.]*(%25[^%[\]]*)?\]$/.test(host.slice(0, end + 1))
    );
  }
  const colon = host.lastIndexOf(":");
  if (colon >= 0 && !isPort(host.slice(colon))) return false;
  // Escapes in a host may only stand for bytes beyond ASCII.
  if (/%(?![89a-fA-F][0-9a-fA-F])/.test(host)) return false;
  return !/[ "<>\\^`{|}]/.test(host);
}

function isPort(text: string): boolean {
  return text === "" || /^:[0-9]*$/.test(text);
}
