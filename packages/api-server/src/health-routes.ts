import { goQuote } from "@homeostat/object-model";
import type { Answer } from "./answers/answer.ts";
import type { HealthFigures } from "./figures/health-figures.ts";
import type { PathRoute } from "./path-route.ts";

/** Something that has to be so for a server to be well. */
interface HealthCheck {
  readonly name: string;
  /** Undefined when it is so; else what is wrong, which only those may read who may read this check. */
  readonly problem: () => string | undefined;
}

/** What has happened by the time a plane answers anything, by the names that kube-apiserver has for it. */
const STARTED: readonly string[] = [
  "poststarthook/start-apiserver-admission-initializer",
  "poststarthook/generic-apiserver-start-informers",
  "poststarthook/priority-and-fairness-config-consumer",
  "poststarthook/priority-and-fairness-filter",
  "poststarthook/storage-object-count-tracker-hook",
  "poststarthook/start-apiextensions-informers",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/crd-informer-synced",
  "poststarthook/start-system-namespaces-controller",
  "poststarthook/peer-endpoint-reconciler-controller",
  "poststarthook/start-cluster-authentication-info-controller",
  "poststarthook/start-kube-apiserver-identity-lease-controller",
  "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
  "poststarthook/storage-readiness",
  "poststarthook/start-legacy-token-tracking-controller",
  "poststarthook/start-service-ip-repair-controllers",
  "poststarthook/rbac/bootstrap-roles",
  "poststarthook/scheduling/bootstrap-system-priority-classes",
  "poststarthook/priority-and-fairness-config-producer",
  "poststarthook/bootstrap-controller",
  "poststarthook/start-kubernetes-service-cidr-controller",
  "poststarthook/start-kube-aggregator-informers",
  "poststarthook/apiservice-status-local-available-controller",
  "poststarthook/apiservice-status-remote-available-controller",
  "poststarthook/apiservice-registration-controller",
  "poststarthook/apiservice-discovery-controller",
  "poststarthook/kube-apiserver-autoregistration",
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
];

export interface HealthSources {
  /** Whether the store can be read. */
  readonly storeProblem: () => string | undefined;
  readonly isShuttingDown: () => boolean;
  /** Where results are counted. */
  readonly figures: HealthFigures;
}

/** `/healthz`, `/livez` and `/readyz`, and below each of them every check by its name. */
export function healthRoutes({
  storeProblem,
  isShuttingDown,
  figures,
}: HealthSources): readonly PathRoute[] {
  const ok = (name: string): HealthCheck => ({ name, problem: () => undefined });
  const started = STARTED.map(ok);
  const store = (name: string): HealthCheck => ({ name, problem: storeProblem });
  const alive = [
    ok("ping"),
    ok("log"),
    ok("loopback-serving-certificate"),
    store("etcd"),
    ...started,
  ];
  const ready = [
    ok("ping"),
    ok("log"),
    store("etcd"),
    store("etcd-readiness"),
    ok("informer-sync"),
    ...started,
    {
      name: "shutdown",
      problem: () => (isShuttingDown() ? "process is shutting down" : undefined),
    },
  ];
  return [
    ...routesOf("healthz", alive, figures),
    ...routesOf("livez", alive, figures),
    ...routesOf("readyz", ready, figures),
  ];
}

function routesOf(
  endpoint: string,
  checks: readonly HealthCheck[],
  figures: HealthFigures,
): readonly PathRoute[] {
  const whole: PathRoute = {
    path: `/${endpoint}`,
    answer: ({ query }) =>
      answerAll(endpoint, checks, {
        excluded: new Set(query.all("exclude")),
        isVerbose: query.has("verbose"),
        figures,
      }),
  };
  const each = checks.map(({ name, problem }): PathRoute => {
    return { path: `/${endpoint}/${name}`, answer: () => answerOne(problem()) };
  });
  return [whole, ...each];
}

interface AllOptions {
  readonly excluded: ReadonlySet<string>;
  readonly isVerbose: boolean;
  readonly figures: HealthFigures;
}

function answerAll(
  endpoint: string,
  checks: readonly HealthCheck[],
  { excluded, isVerbose, figures }: AllOptions,
): Answer {
  const known = new Set<string>();
  let hasFailed = false;
  const lines = checks.map(({ name, problem }) => {
    if (excluded.has(name)) {
      known.add(name);
      return `[+]${name} excluded: ok\n`;
    }
    const isWell = problem() === undefined;
    figures.note(name, endpoint, isWell);
    if (isWell) return `[+]${name} ok\n`;
    hasFailed = true;
    // Everybody may read this.
    return `[-]${name} failed: reason withheld\n`;
  });
  const unknown = [...excluded].filter((name) => !known.has(name)).toSorted();
  if (unknown.length > 0) {
    const quoted = unknown.map(goQuote).join(",");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${quoted}\n`);
  }
  if (hasFailed) return text(500, `${lines.join("")}${endpoint} check failed\n`);
  return text(200, isVerbose ? `${lines.join("")}${endpoint} check passed\n` : "ok");
}

function answerOne(problem: string | undefined): Answer {
  if (problem !== undefined) return text(500, `internal server error: ${problem}\n`);
  const payload = { kind: "text", contentType: TEXT, text: "ok" } as const;
  return { status: 200, payload };
}

const TEXT = "text/plain; charset=utf-8";

function text(status: number, body: string): Answer {
  return {
    status,
    headers: { "x-content-type-options": "nosniff" },
    payload: { kind: "text", contentType: TEXT, text: body },
  };
}
