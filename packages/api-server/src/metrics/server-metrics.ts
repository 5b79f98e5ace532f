import { listBuiltinResources } from "@homeostat/object-model";
import type { AuditLog } from "../audit/audit-log.ts";
import { type Family, GaugeFamily, HistogramFamily } from "../figures/figure-family.ts";
import type { Plane } from "../registry/plane.ts";
import { kindPrefix } from "../registry/storage-key.ts";
import { versionInfo } from "../version-info.ts";
import { writeFlowMetrics } from "./flow-metrics.ts";
import type { MetricsSources } from "./metrics-route.ts";
import { MetricsText } from "./metrics-text.ts";
import { writeRequestMetrics } from "./write-request-metrics.ts";

export function printMetrics(sources: MetricsSources): string {
  const text = new MetricsText();
  const now = sources.plane.clock.monotonic();
  writeRequestMetrics(text, sources.requests);
  writeInFlight(text, sources, now);
  if (sources.flow !== undefined) {
    sources.flow.settle();
    writeFlowMetrics(text, sources.flow);
  }
  writeAudit(text, sources.audit);
  for (const family of sources.plane.figures.families) writeFamily(text, family);
  writeStored(text, sources);
  writeBuild(text);
  for (const { name, type, help, value, labels = {} } of sources.process?.() ?? []) {
    text.family(name, type, help);
    text.sample(name, labels, value);
  }
  return text.toString();
}

export function printFamilies(families: readonly Family[]): string {
  const text = new MetricsText();
  for (const family of families) writeFamily(text, family);
  return text.toString();
}

/** One in which nothing has happened is not told. */
function writeFamily(text: MetricsText, family: Family): void {
  const { name, help } = family.description;
  const isHistogram = family instanceof HistogramFamily;
  const type = isHistogram ? "histogram" : family instanceof GaugeFamily ? "gauge" : "counter";
  let isNamed = false;
  const begin = (): void => {
    if (!isNamed) text.family(name, type, help);
    isNamed = true;
  };
  if (isHistogram) {
    for (const { labels, cell } of family.cells()) {
      begin();
      text.histogram(name, labels, cell);
    }
    return;
  }
  for (const { labels, cell } of family.cells()) {
    begin();
    text.sample(name, labels, cell.value);
  }
}

function writeInFlight(text: MetricsText, { reads, writes }: MetricsSources, now: number): void {
  const inFlight = "apiserver_current_inflight_requests";
  text.family(
    inFlight,
    "gauge",
    "[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in last second.",
  );
  text.sample(inFlight, { request_kind: "mutating" }, writes.highest(now));
  text.sample(inFlight, { request_kind: "readOnly" }, reads.highest(now));
}

function writeAudit(text: MetricsText, audit: AuditLog | undefined): void {
  const events = "apiserver_audit_event_total";
  text.family(
    events,
    "counter",
    "[ALPHA] Counter of audit events generated and sent to the audit backend.",
  );
  text.sample(events, {}, audit?.events ?? 0);
  const rejected = "apiserver_audit_requests_rejected_total";
  text.family(
    rejected,
    "counter",
    "[ALPHA] Counter of apiserver requests rejected due to an error in audit logging backend.",
  );
  text.sample(rejected, {}, 0);
}

function writeStored(text: MetricsText, { plane, counts }: MetricsSources): void {
  const kinds = storedKinds(plane.table).map(({ group, resource, prefix }) => {
    const { count, events } = counts.of({ prefix });
    return { group, resource, count, events };
  });
  const objects = "apiserver_resource_objects";
  text.family(
    objects,
    "gauge",
    "[ALPHA] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.",
  );
  for (const { group, resource, count } of kinds) text.sample(objects, { group, resource }, count);
  const older = "apiserver_storage_objects";
  text.family(
    older,
    "gauge",
    "[STABLE] (Deprecated since 1.34.0) [DEPRECATED, consider using apiserver_resource_objects instead] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.",
  );
  for (const { group, resource, count } of kinds) {
    text.sample(older, { resource: group === "" ? resource : `${resource}.${group}` }, count);
  }
  const received = "apiserver_storage_events_received_total";
  text.family(received, "counter", "[BETA] Number of etcd events received split by kind.");
  for (const { group, resource, events } of kinds) {
    if (events > 0) text.sample(received, { group, resource }, events);
  }
  const size = "apiserver_storage_size_bytes";
  text.family(
    size,
    "gauge",
    "[STABLE] Size of the storage database file physically allocated in bytes.",
  );
  text.sample(size, { storage_cluster_id: "homeostat" }, plane.store.statistics().heapBytes);
}

function writeBuild(text: MetricsText): void {
  const name = "kubernetes_build_info";
  text.family(
    name,
    "gauge",
    "[BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
  );
  const { major, minor, compiler, platform, ...info } = versionInfo();
  const labels = {
    build_date: info.buildDate,
    compiler,
    git_commit: info.gitCommit,
    git_tree_state: info.gitTreeState,
    git_version: info.gitVersion,
    go_version: info.goVersion,
    major,
    minor,
    platform,
  };
  text.sample(name, labels, 1);
}

/** Every kind that is kept, once, whatever the versions it is served in. */
function storedKinds(
  table: Plane["table"],
): readonly { readonly group: string; readonly resource: string; readonly prefix: string }[] {
  const kinds = new Map<string, { group: string; resource: string; prefix: string }>();
  for (const { group, plural, verbs } of listBuiltinResources()) {
    // Only what is kept can be watched; events have two addresses.
    if (!verbs.includes("watch") || group === "events.k8s.io") continue;
    const prefix = kindPrefix(group, plural);
    kinds.set(prefix, { group, resource: plural, prefix });
  }
  for (const { stored } of table.listCustom()) {
    kinds.set(stored.prefix, { ...stored.groupResource, prefix: stored.prefix });
  }
  return [...kinds.values()];
}
