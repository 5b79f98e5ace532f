/** Keys of ConfigMaps and Secrets, which become names of files. */
import { type Rule, textIs } from "@homeostat/schema";

const MAX_KEY = 253;
const KEY = /^[-._a-zA-Z0-9]+$/;

function checkConfigKey(key: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(key) > MAX_KEY) {
    problems.push(`must be no more than ${MAX_KEY} characters`);
  }
  if (!KEY.test(key)) {
    problems.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

export const configKey: Rule<string> = textIs(checkConfigKey);
