import type { Range } from "../http/negotiation.ts";

/** Whether a range of an Accept header takes this media type, parameters aside. */
export function takesMedia({ type, subtype }: Range, media: string): boolean {
  const slash = media.indexOf("/");
  return (
    (type === "*" || type === media.slice(0, slash)) &&
    (subtype === "*" || subtype === media.slice(slash + 1))
  );
}
