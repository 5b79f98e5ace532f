/**
 * Which names, label keys and label values Kubernetes accepts. Every check returns the list of what
 * is wrong, in Kubernetes' words and order, and an empty list for a valid value. Lengths count
 * UTF-8 bytes (some messages say "characters" all the same: they are quoted as they are).
 */

const DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`;
const DNS_1035_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LABEL_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${LABEL_NAME})?`;

const dnsLabel = new RegExp(`^${DNS_LABEL}$`);
const dnsSubdomain = new RegExp(`^${DNS_SUBDOMAIN}$`);
const dns1035Label = new RegExp(`^${DNS_1035_LABEL}$`);
const labelName = new RegExp(`^${LABEL_NAME}$`);
const labelValue = new RegExp(`^${LABEL_VALUE}$`);

const ASCII = /^[\0-\x7f]*$/;
const utf8 = new TextEncoder();

const SUBDOMAIN_MAX = 253;
const LABEL_MAX = 63;

const SUBDOMAIN_RULE = patternMessage({
  rule: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  pattern: DNS_SUBDOMAIN,
  examples: ["example.com"],
});
const LABEL_RULE = patternMessage({
  rule: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  pattern: DNS_LABEL,
  examples: ["my-name", "123-abc"],
});
const DNS_1035_RULE = patternMessage({
  rule: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  pattern: DNS_1035_LABEL,
  examples: ["my-name", "abc-123"],
});
const LABEL_NAME_RULE = patternMessage({
  rule: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  pattern: LABEL_NAME,
  examples: ["MyName", "my.name", "123-abc"],
});
const LABEL_VALUE_RULE = patternMessage({
  rule: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  pattern: LABEL_VALUE,
  examples: ["MyValue", "my_value", "12345"],
});

/** Names of most kinds: Pods, ConfigMaps, custom resources. */
export function checkDns1123Subdomain(value: string): string[] {
  const problems: string[] = [];
  if (utf8Length(value) > SUBDOMAIN_MAX) problems.push(maxCharacters(SUBDOMAIN_MAX));
  if (!dnsSubdomain.test(value)) problems.push(SUBDOMAIN_RULE);
  return problems;
}

/** Names of Namespaces, and parts of names that become one DNS label. */
export function checkDns1123Label(value: string): string[] {
  const problems: string[] = [];
  if (utf8Length(value) > LABEL_MAX) problems.push(maxCharacters(LABEL_MAX));
  if (!dnsLabel.test(value)) {
    problems.push(dnsSubdomain.test(value) ? "must not contain dots" : LABEL_RULE);
  }
  return problems;
}

/** Names of Services. */
export function checkDns1035Label(value: string): string[] {
  const problems: string[] = [];
  if (utf8Length(value) > LABEL_MAX) problems.push(maxCharacters(LABEL_MAX));
  if (!dns1035Label.test(value)) problems.push(DNS_1035_RULE);
  return problems;
}

/** Keys of labels, annotations (lower-cased first), finalizers: `[prefix/]name`. */
export function checkLabelKey(value: string): string[] {
  const problems: string[] = [];
  const slash = value.indexOf("/");
  if (slash !== -1 && value.includes("/", slash + 1)) {
    return [
      `a valid label key ${LABEL_NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (slash === 0) problems.push("prefix part must be non-empty");
  else if (slash > 0) problems.push(...checkLabelPrefix(value.slice(0, slash)));
  const name = value.slice(slash + 1);
  if (name === "") problems.push("name part must be non-empty");
  else if (utf8Length(name) > LABEL_MAX) problems.push(`name part ${maxBytes(LABEL_MAX)}`);
  if (!labelName.test(name)) problems.push(`name part ${LABEL_NAME_RULE}`);
  return problems;
}

function checkLabelPrefix(prefix: string): string[] {
  const problems: string[] = [];
  if (utf8Length(prefix) > SUBDOMAIN_MAX) problems.push(`prefix part ${maxBytes(SUBDOMAIN_MAX)}`);
  if (!dnsSubdomain.test(prefix)) problems.push(`prefix part ${SUBDOMAIN_RULE}`);
  return problems;
}

/** Values of labels; the empty string is one. */
export function checkLabelValue(value: string): string[] {
  const problems: string[] = [];
  if (utf8Length(value) > LABEL_MAX) problems.push(maxBytes(LABEL_MAX));
  if (!labelValue.test(value)) problems.push(LABEL_VALUE_RULE);
  return problems;
}

/** Names that must only be safe as one segment of a URL: RBAC roles and bindings. */
export function checkPathSegmentName(value: string): string[] {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return checkPathSegmentPrefix(value);
}

/** The same for `generateName`, to which a suffix is added: `.` and `..` may still become valid. */
export function checkPathSegmentPrefix(value: string): string[] {
  return ["/", "%"]
    .filter((part) => value.includes(part))
    .map((part) => `may not contain '${part}'`);
}

function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : utf8.encode(text).length;
}

function maxCharacters(length: number): string {
  return `must be no more than ${length} characters`;
}

function maxBytes(length: number): string {
  return `must be no more than ${length} bytes`;
}

function patternMessage(message: {
  rule: string;
  pattern: string;
  examples: readonly string[];
}): string {
  const examples = message.examples.map((example) => `'${example}', `).join(" or ");
  return `${message.rule} (e.g. ${examples}regex used for validation is '${message.pattern}')`;
}
