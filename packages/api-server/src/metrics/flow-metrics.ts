import type { FlowControl } from "../flow-control/flow-control.ts";
import type { FlowFigures } from "../flow-control/flow-schema.ts";
import type { Labels, MetricsText } from "./metrics-text.ts";

export function writeFlowMetrics(text: MetricsText, flow: FlowControl): void {
  writeLevels(text, flow);
  const used = flow.figures.filter(({ dispatched, rejected, waiting }) => {
    return dispatched > 0 || rejected.size > 0 || waiting > 0;
  });
  for (const [name, type, help, value] of FIGURES) {
    text.family(name, type, help);
    for (const each of used) text.sample(name, labelsOf(each), value(each));
  }
  writeRejected(text, used);
  const executed = "apiserver_flowcontrol_request_execution_seconds";
  text.family(
    executed,
    "histogram",
    "[ALPHA] Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem",
  );
  for (const each of used) {
    text.histogram(executed, { ...labelsOf(each), type: "regular" }, each.executed);
    text.histogram(executed, { ...labelsOf(each), type: "watch" }, each.begunWatches);
  }
  const watches = "apiserver_flowcontrol_watch_count_samples";
  text.family(
    watches,
    "histogram",
    "[ALPHA] count of watchers for mutating requests in API Priority and Fairness",
  );
  for (const each of used) text.histogram(watches, labelsOf(each), each.watches);
  const seats = "apiserver_flowcontrol_work_estimated_seats";
  text.family(
    seats,
    "histogram",
    "[ALPHA] Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness",
  );
  for (const each of used) text.histogram(seats, labelsOf(each), each.seats);
  const waited = "apiserver_flowcontrol_request_wait_duration_seconds";
  text.family(waited, "histogram", "[BETA] Length of time a request spent waiting in its queue");
  for (const each of used) {
    text.histogram(waited, { execute: "false", ...labelsOf(each) }, each.waitedInVain);
    text.histogram(waited, { execute: "true", ...labelsOf(each) }, each.waited);
  }
}

type Figure = readonly [
  name: string,
  type: "counter" | "gauge",
  help: string,
  value: (figures: FlowFigures) => number,
];

const FIGURES: readonly Figure[] = [
  [
    "apiserver_flowcontrol_current_executing_requests",
    "gauge",
    "[BETA] Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem",
    ({ executing }) => executing,
  ],
  [
    "apiserver_flowcontrol_current_executing_seats",
    "gauge",
    "[BETA] Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem",
    ({ executingSeats }) => executingSeats,
  ],
  [
    "apiserver_flowcontrol_current_inqueue_requests",
    "gauge",
    "[BETA] Number of requests currently pending in queues of the API Priority and Fairness subsystem",
    ({ waiting }) => waiting,
  ],
  [
    "apiserver_flowcontrol_current_inqueue_seats",
    "gauge",
    "[ALPHA] Number of seats currently pending in queues of the API Priority and Fairness subsystem",
    ({ waitingSeats }) => waitingSeats,
  ],
  [
    "apiserver_flowcontrol_dispatched_requests_total",
    "counter",
    "[BETA] Number of requests executed by API Priority and Fairness subsystem",
    ({ dispatched }) => dispatched,
  ],
];

function writeRejected(text: MetricsText, all: readonly FlowFigures[]): void {
  const name = "apiserver_flowcontrol_rejected_requests_total";
  text.family(
    name,
    "counter",
    "[BETA] Number of requests rejected by API Priority and Fairness subsystem",
  );
  for (const each of all) {
    for (const [reason, count] of each.rejected) {
      text.sample(name, { ...labelsOf(each), reason }, count);
    }
  }
}

function writeLevels(text: MetricsText, { levels }: FlowControl): void {
  const write = (name: string, help: string, value: (level: (typeof levels)[number]) => number) => {
    text.family(name, "gauge", help);
    for (const level of levels) text.sample(name, { priority_level: level.name }, value(level));
  };
  write(
    "apiserver_flowcontrol_current_limit_seats",
    "[ALPHA] current derived number of execution seats available to each priority level",
    ({ queues }) => queues.limit,
  );
  write(
    "apiserver_flowcontrol_lower_limit_seats",
    "[ALPHA] Configured lower bound on number of execution seats available to each priority level",
    ({ lowest }) => lowest,
  );
  write(
    "apiserver_flowcontrol_nominal_limit_seats",
    "[BETA] Nominal number of execution seats configured for each priority level",
    ({ nominal }) => nominal,
  );
  write(
    "apiserver_flowcontrol_upper_limit_seats",
    "[ALPHA] Configured upper bound on number of execution seats available to each priority level",
    ({ highest }) => highest,
  );
}

function labelsOf({ schema, level }: FlowFigures): Labels {
  return { flow_schema: schema, priority_level: level };
}
