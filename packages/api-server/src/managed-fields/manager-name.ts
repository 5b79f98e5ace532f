const MAX_BYTES = 128;

/** What Go's `unicode.IsPrint` accepts. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Who writes: as the request names it, else the beginning of the client's own name. */
export function managerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== "") return fieldManager;
  let name = names.get(userAgent);
  if (name === undefined) {
    name = beginningOf(userAgent);
    if (names.size >= MAX_NAMES) names.clear();
    if (userAgent.length <= MAX_BYTES) names.set(userAgent, name);
  }
  return name;
}

/** Few programs send everything: their names are made once, until there are too many. */
const names = new Map<string, string>();
const MAX_NAMES = 1000;

function beginningOf(userAgent: string): string {
  let name = "";
  let length = 0;
  for (const char of userAgent.split("/", 1)[0]!) {
    if (!PRINTABLE.test(char)) continue;
    length += Buffer.byteLength(char);
    if (length > MAX_BYTES) break;
    name += char;
  }
  return name;
}
