import { createHash } from "node:crypto";

/** What changes whenever the bytes do, as kube-apiserver writes it. */
export function entityTag(bytes: Uint8Array): string {
  return createHash("sha512").update(bytes).digest("hex").toUpperCase();
}

/** Whether a client that holds these tags (`If-None-Match`) holds the one asked about. */
export function holdsTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(",")
    .map((each) => each.trim().replace(/^W\//, ""))
    .some((held) => held === "*" || held === `"${tag}"`);
}
