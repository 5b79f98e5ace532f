import { ApiError, goQuote, ownKey, setOwnKey } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";

const USER = "impersonate-user";
const UID = "impersonate-uid";
const GROUP = "impersonate-group";
const EXTRA = "impersonate-extra-";

/** Whether a header, in lower case, says something about who to act as. */
export function isImpersonation(name: string): boolean {
  return name === USER || name === UID || name === GROUP || name.startsWith(EXTRA);
}

/**
 * Whom the headers want to act as, as they say it; undefined where they want nothing. `headers` are
 * pairs in the order sent: a group or an extra may be given more than once, a user counts once.
 */
export function readImpersonation(
  headers: Iterable<readonly [name: string, value: string]>,
): UserInfo | undefined {
  let username: string | undefined;
  let uid: string | undefined;
  const groups: string[] = [];
  const extra: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    if (name === USER) username ??= value;
    else if (name === UID) uid ??= value;
    else if (name === GROUP) groups.push(value);
    else if (name.startsWith(EXTRA)) {
      const key = unescapeKey(name.slice(EXTRA.length));
      const values = ownKey(extra, key);
      if (values === undefined) setOwnKey(extra, key, [value]);
      else values.push(value);
    }
  }
  const hasExtra = Object.keys(extra).length > 0;
  if (!username && !uid && groups.length === 0 && !hasExtra) return undefined;
  return {
    ...(username && { username }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(hasExtra && { extra }),
  };
}

/** Who is nobody cannot be acted as. */
export function checkNamed(wanted: UserInfo): void {
  if (!wanted.username) {
    throw ApiError.badRequest(`requested ${goUser(wanted)} without impersonating a user name`);
  }
}

/** A key that cannot be unescaped is meant as it is. */
function unescapeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As Go shows such a value. */
function goUser({ uid = "", groups, extra }: UserInfo): string {
  const entries = Object.entries(extra ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const pairs = entries.map(([key, values]) => `${goQuote(key)}:${goTexts(values)}`);
  const map = extra === undefined ? "(nil)" : `{${pairs.join(", ")}}`;
  const list = groups === undefined ? "[]string(nil)" : goTexts(groups);
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${list}, Extra:map[string][]string${map}}`;
}

function goTexts(texts: readonly string[]): string {
  return `[]string{${texts.map(goQuote).join(", ")}}`;
}
