import type { Labels, MetricsText } from "./metrics-text.ts";
import type { RequestLabels, RequestMetrics, RequestSeries } from "./request-metrics.ts";

export function writeRequestMetrics(text: MetricsText, requests: RequestMetrics): void {
  const all = [...requests.all()];
  const long = all.filter(({ wasOpen }) => wasOpen);
  text.family(
    "apiserver_longrunning_requests",
    "gauge",
    "[STABLE] Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.",
  );
  for (const { labels, open } of long) {
    text.sample("apiserver_longrunning_requests", labelsOf(labels), open);
  }
  text.family(
    "apiserver_request_duration_seconds",
    "histogram",
    "[STABLE] Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.",
  );
  for (const { labels, durations } of all) {
    text.histogram("apiserver_request_duration_seconds", withDryRun(labels), durations);
  }
  text.family(
    "apiserver_request_sli_duration_seconds",
    "histogram",
    "[ALPHA] Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.",
  );
  for (const { labels, sliDurations } of all) {
    if (labels.dryRun !== "") continue;
    text.histogram("apiserver_request_sli_duration_seconds", labelsOf(labels), sliDurations);
  }
  text.family(
    "apiserver_request_terminations_total",
    "counter",
    "[ALPHA] Number of requests which apiserver terminated in self-defense.",
  );
  for (const series of all) {
    for (const { code, count } of series.terminations) {
      const labels = { code: String(code), ...labelsOf(series.labels) };
      text.sample("apiserver_request_terminations_total", labels, count);
    }
  }
  writeTotals(text, all);
  writeSizes(text, all);
  writeWatchEvents(text, all);
}

function writeTotals(text: MetricsText, all: readonly RequestSeries[]): void {
  const name = "apiserver_request_total";
  text.family(
    name,
    "counter",
    "[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.",
  );
  for (const { labels, codes } of all) {
    for (const { code, count } of codes) {
      text.sample(name, { code: String(code), ...withDryRun(labels) }, count);
    }
  }
}

function writeSizes(text: MetricsText, all: readonly RequestSeries[]): void {
  const name = "apiserver_response_sizes";
  text.family(
    name,
    "histogram",
    "[STABLE] Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.",
  );
  for (const { labels, sizes } of all) {
    if (sizes !== undefined && labels.dryRun === "") {
      text.histogram(name, labelsOf(labels), sizes);
    }
  }
}

/** Of all scopes of a resource together. */
function writeWatchEvents(text: MetricsText, all: readonly RequestSeries[]): void {
  const name = "apiserver_watch_events_total";
  text.family(name, "counter", "[ALPHA] Number of events sent in watch clients");
  const sums = new Map<string, { labels: Labels; events: number }>();
  for (const { labels, events } of all) {
    if (events === 0) continue;
    const { group, resource, version } = labels;
    const key = `${group}/${version}/${resource}`;
    const sum = sums.get(key) ?? { labels: { group, resource, version }, events: 0 };
    sum.events += events;
    sums.set(key, sum);
  }
  for (const { labels, events } of sums.values()) text.sample(name, labels, events);
}

function labelsOf(labels: RequestLabels): Labels {
  const { component, group, resource, scope, subresource, verb, version } = labels;
  return { component, group, resource, scope, subresource, verb, version };
}

function withDryRun(labels: RequestLabels): Labels {
  const { component, dryRun, ...rest } = labels;
  return { component, dry_run: dryRun, ...rest };
}
