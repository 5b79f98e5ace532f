/** Names of hosts as traffic is routed by them: domain names, the first label perhaps `*`. */
import { checkDns1123Subdomain } from "@homeostat/object-model";
import { type Rule, textIs } from "@homeostat/schema";
import { familyOfIp } from "./ip-addresses.ts";

const MAX_BYTES = 253;
const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const WILDCARD = `\\*\\.${LABEL}(\\.${LABEL})*`;
const wildcardPattern = new RegExp(`^${WILDCARD}$`);

function checkWildcard(name: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(name) > MAX_BYTES) {
    problems.push(`must be no more than ${MAX_BYTES} bytes`);
  }
  if (!wildcardPattern.test(name)) {
    problems.push(
      `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '${WILDCARD}')`,
    );
  }
  return problems;
}

export function isWildcard(name: string | undefined): boolean {
  return name?.includes("*") ?? false;
}

export const hostName: Rule<string> = textIs((name) =>
  isWildcard(name) ? checkWildcard(name) : checkDns1123Subdomain(name),
);

export const notAnIp: Rule<string> = (value = "", place) => {
  if (familyOfIp(value) !== undefined) {
    place.invalid(value, "must be a DNS name, not an IP address");
  }
};
