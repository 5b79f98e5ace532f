/** Security options of Windows containers: credentials, and the user a process runs as. */
import type { WindowsSecurityContextOptions } from "@homeostat/object-model/core-v1";
import { dns1123Subdomain, fields, ifPresent, type Rule } from "@homeostat/schema";

const CREDENTIAL_MAX = 64 * 1024;
const DOMAIN_MAX = 256;
const USER_MAX = 104;

/** In ASCII, as the class `[:cntrl:]` is. */
const CONTROL = /(?=\p{ASCII})\p{Cc}/u;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const DNS_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const DNS = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const FORBIDDEN_IN_USER = /["/\\:;|=,+*?<>@[\]]/;

const credential: Rule<string> = (value = "", place) => {
  if (value === "") place.invalid(value, "gmsaCredentialSpec cannot be an empty string");
  else if (Buffer.byteLength(value) > CREDENTIAL_MAX) {
    place.invalid(value, "gmsaCredentialSpec size must be under 64 KiB");
  }
};

/** `user`, or `domain\user`. */
const userName: Rule<string> = (value = "", place) => {
  const parts = value.split("\\");
  if (value === "") place.invalid(value, "runAsUserName cannot be an empty string");
  else if (CONTROL.test(value)) {
    place.invalid(value, "runAsUserName cannot contain control characters");
  } else if (parts.length > 2) {
    place.invalid(value, "runAsUserName cannot contain more than one backslash");
  } else {
    const [domain, user] = parts.length === 1 ? [undefined, value] : parts;
    const problems = [...problemsOfDomain(domain), ...problemsOfUser(user ?? "")];
    for (const problem of problems) place.invalid(value, `runAsUserName's ${problem}`);
  }
};

function problemsOfDomain(domain: string | undefined): string[] {
  if (domain === undefined) return [];
  const problems: string[] = [];
  if (Buffer.byteLength(domain) >= DOMAIN_MAX) {
    problems.push("Domain length must be under 256 characters");
  }
  if (!NETBIOS.test(domain) && !DNS.test(domain)) {
    problems.push("Domain doesn't match the NetBios nor the DNS format");
  }
  return problems;
}

function problemsOfUser(user: string): string[] {
  const problems: string[] = [];
  if (user === "") problems.push("User cannot be empty");
  else if (Buffer.byteLength(user) > USER_MAX) {
    problems.push("User length must not be longer than 104 characters");
  }
  if (/^[. ]+$/.test(user)) problems.push("User cannot contain only periods or spaces");
  if (FORBIDDEN_IN_USER.test(user)) {
    problems.push('User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return problems;
}

export const windowsOptionsRule: Rule<WindowsSecurityContextOptions> =
  fields<WindowsSecurityContextOptions>({
    gmsaCredentialSpecName: ifPresent(dns1123Subdomain),
    gmsaCredentialSpec: ifPresent(credential),
    runAsUserName: ifPresent(userName),
  });
