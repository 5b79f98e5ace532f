/**
 * `npm run clients -- NAME [...]`: runs one suite of an unmodified client against our server and, where
 * it compares, against kube-apiserver; `all` runs every one, without what cannot run here (in CI that is
 * a failure). Without a name it lists them. A suite is a folder here with a `suite.ts`. They compile
 * other people's programs and run for minutes, so `npm test` leaves them out.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { realClock } from "@homeostat/concurrency";
import type { ClientSuite } from "./client-suite.ts";
import { isSuiteOptionError } from "./suite-options.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/** Exit codes: 0 all is well, 1 something failed, 2 asked wrongly or something is missing. */
async function main([name, ...args]: readonly string[]): Promise<number> {
  const names = readdirSync(here).filter((each) => existsSync(join(here, each, "suite.ts")));
  if (name === "all") return runAll(names);
  if (name !== undefined && names.includes(name)) {
    const suite = await load(name);
    const missing = suite.missing();
    for (const each of missing) complain(`missing: ${each}`);
    return missing.length > 0 ? 2 : runSuite(name, suite, args);
  }
  if (name !== undefined) complain(`There is no suite "${name}"; there are:`);
  for (const each of names) print(`${each.padEnd(16)}${(await load(each)).about}`);
  return name === undefined ? 0 : 2;
}

async function runAll(names: readonly string[]): Promise<number> {
  let worst = 0;
  for (const name of names) {
    const suite = await load(name);
    const missing = suite.missing();
    for (const each of missing) print(`${name}: left out, missing ${each}`);
    if (missing.length === 0) worst = Math.max(worst, await runSuite(name, suite, []));
    else if (process.env["CI"] === "true") worst = Math.max(worst, 2);
  }
  return worst;
}

async function runSuite(
  name: string,
  suite: ClientSuite,
  args: readonly string[],
): Promise<number> {
  const begun = realClock.monotonic();
  const failures = await suite.run({ args, print }).catch((error: unknown) => {
    if (!isSuiteOptionError(error)) throw error;
    complain(`${name}: ${error.message}\n${name.padEnd(16)}${suite.about}`);
    return undefined;
  });
  if (failures === undefined) return 2;
  for (const each of failures) complain(`FAILED ${each}`);
  const seconds = ((realClock.monotonic() - begun) / 1000).toFixed(1);
  print(`${name}: ${failures.length === 0 ? "ok" : `${failures.length} failed`} in ${seconds} s`);
  return failures.length === 0 ? 0 : 1;
}

async function load(name: string): Promise<ClientSuite> {
  const url = pathToFileURL(join(here, name, "suite.ts"));
  const { suite } = (await import(url.href)) as { suite: ClientSuite };
  return suite;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exit(await main(process.argv.slice(2)));
