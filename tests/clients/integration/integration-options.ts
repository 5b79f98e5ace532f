import { parseArgs } from "node:util";
import { ENVTEST_SIDES, type EnvtestSide } from "../envtest-programs.ts";
import { chosen, regularExpression, SuiteOptionError } from "../suite-options.ts";

export interface IntegrationOptions {
  /** Below `test/integration` of Kubernetes, or `apiextensions` with what is below that of the other module. */
  readonly packages: readonly string[];
  /** Names of tests. */
  readonly tests: RegExp;
  /** Whether to run tests with a known outcome too. */
  readonly known: boolean;
  /** Without it: ours, and then on kube-apiserver what failed. */
  readonly only?: EnvtestSide;
}

/** What needs no controllers: some eight minutes, and as much for compiling the first time. */
const DEFAULT_PACKAGES = [
  "apiextensions",
  "apiextensions/conversion",
  "apiserver",
  "apiserver/admissionwebhook",
  "apiserver/apply",
  "apiserver/cel",
  "apiserver/openapi",
  "apiserver/portforward",
  "dryrun",
  "secrets",
];

const PACKAGE = /^[a-z0-9_]+(\/[a-z0-9_]+)*$/;

export function readIntegrationOptions(args: readonly string[]): IntegrationOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      packages: { type: "string", default: DEFAULT_PACKAGES.join(" ") },
      tests: { type: "string", default: "" },
      known: { type: "boolean", default: false },
      only: { type: "string" },
    },
  });
  const packages = [...new Set(values.packages.split(/[\s,]+/).filter((name) => name !== ""))];
  const wrong = packages.find((name) => !PACKAGE.test(name));
  if (packages.length === 0 || wrong !== undefined) {
    throw new SuiteOptionError(
      `--packages: expected names such as "apiserver/apply dryrun", got "${wrong ?? values.packages}"`,
    );
  }
  const [side] = chosen("--only", values.only, ENVTEST_SIDES);
  return {
    packages,
    tests: regularExpression("--tests", values.tests),
    known: values.known,
    ...(values.only !== undefined && side !== undefined && { only: side }),
  };
}
