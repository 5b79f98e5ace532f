/** Names with an owner: `acme.io/foo`. */
import { checkDns1123Subdomain } from "@homeostat/object-model";
import type { Rule } from "@homeostat/schema";

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${PATH}$`);

/** Has to be there. */
export const domainPrefixedPath: Rule<string> = (value = "", place) => {
  if (value === "") {
    place.required();
    return;
  }
  const slash = value.indexOf("/");
  const [host, path] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  if (host === "" || path === "") {
    place.invalid(value, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  for (const problem of checkDns1123Subdomain(host)) place.invalid(host, problem);
  if (!pathPattern.test(path)) {
    place.invalid(path, `Invalid path (regex used for validation is '${PATH}')`);
  }
};
