/** Ports by number and by name. */
import { oneOf, type Rule, textIs } from "@homeostat/schema";

export function checkPortNumber(port = 0): string[] {
  return port >= 1 && port <= 65_535 ? [] : ["must be between 1 and 65535, inclusive"];
}

/** An IANA service name. */
export function checkPortName(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(name)) problems.push("must contain at least one letter (a-z)");
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (/^-|-$/.test(name)) problems.push("must not begin or end with a hyphen");
  return problems;
}

export const portNumber: Rule<number> = (port = 0, place) => {
  for (const problem of checkPortNumber(port)) place.invalid(port, problem);
};

export const portName: Rule<string> = textIs(checkPortName);

export const portNumberOrName: Rule<string | number> = (port = 0, place) => {
  if (typeof port === "number") portNumber(port, place);
  else portName(port, place);
};

/** TCP, UDP or SCTP; it has been defaulted, so an empty one is missing. */
export const protocol: Rule<string> = (value = "", place) => {
  if (value === "") place.required();
  else knownProtocol(value, place);
};

const knownProtocol = oneOf("SCTP", "TCP", "UDP");
