/** What flow control is doing right now, for people: a line for each level, queue or request. */
import { type Clock, formatDuration } from "@homeostat/concurrency";
import { compareBytewise, timeOfMilliseconds } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import type { PathRoute } from "../path-route.ts";
import type { FlowControl, Seat } from "./flow-control.ts";
import type { FlowFigures } from "./flow-schema.ts";
import type { PriorityLevel } from "./priority-level.ts";
import type { RejectReason } from "./too-many-requests.ts";

type Row = readonly (string | number | boolean)[];

export function flowDumps(flow: FlowControl, clock: Clock): readonly PathRoute[] {
  const route = (name: string, rows: (isDetailed: boolean) => readonly Row[]): PathRoute => ({
    path: `/debug/api_priority_and_fairness/${name}`,
    unlisted: true,
    answer: ({ query }) => answerOf(printRows(rows(query.get("includeRequestDetails") !== ""))),
  });
  return [
    route("dump_priority_levels", () => levelRows(flow)),
    route("dump_queues", () => queueRows(flow)),
    route("dump_requests", (isDetailed) => requestRows(flow, clock, isDetailed)),
  ];
}

const LEVEL_COLUMNS =
  "PriorityLevelName ActiveQueues IsIdle IsQuiescing WaitingRequests ExecutingRequests DispatchedRequests RejectedRequests TimedoutRequests CancelledRequests";
const QUEUE_COLUMNS =
  "PriorityLevelName Index PendingRequests ExecutingRequests SeatsInUse NextDispatchR InitialSeatsSum MaxSeatsSum TotalWorkSum";
const REQUEST_COLUMNS =
  "PriorityLevelName FlowSchemaName QueueIndex RequestIndexInQueue FlowDistingsher ArriveTime InitialSeats FinalSeats AdditionalLatency StartTime";
const DETAIL_COLUMNS = "UserName Verb APIPath Namespace Name APIVersion Resource SubResource";

function levelsOf(flow: FlowControl): readonly PriorityLevel[] {
  return flow.levels.toSorted((a, b) => compareBytewise(a.name, b.name));
}

function levelRows(flow: FlowControl): readonly Row[] {
  return [LEVEL_COLUMNS.split(" "), ...levelsOf(flow).map((level) => levelRow(level, flow))];
}

function levelRow({ name, queues }: PriorityLevel, { figures }: FlowControl): Row {
  const { requestsWaiting, requestsSeated } = queues;
  const active = queues.queues.filter(({ waiting }) => waiting.length > 0).length;
  const isIdle = requestsWaiting + requestsSeated === 0;
  const mine = figures.filter(({ level }) => level === name);
  const sum = (count: (each: FlowFigures) => number): number =>
    mine.reduce((before, each) => before + count(each), 0);
  const refused = (...reasons: readonly RejectReason[]): number =>
    reasons.reduce((all, reason) => all + sum(({ rejected }) => rejected.get(reason) ?? 0), 0);
  return [
    name,
    active,
    isIdle,
    false,
    requestsWaiting,
    requestsSeated,
    sum(({ dispatched }) => dispatched),
    refused("concurrency-limit", "queue-full"),
    refused("time-out"),
    refused("cancelled"),
  ];
}

function queueRows(flow: FlowControl): readonly Row[] {
  const rows = levelsOf(flow).flatMap(({ name, queues }) =>
    queues.queues.map(({ waiting, seated, seatsInUse, nextStart, waitingSeats }, at): Row => {
      const work = printWork(waitingSeats * queues.estimatedDuration);
      const next = printWork(nextStart);
      const wanted = [waitingSeats, waitingSeats, work];
      return [name, at, waiting.length, seated, seatsInUse, next, ...wanted];
    }),
  );
  return [QUEUE_COLUMNS.split(" "), ...rows];
}

/** From seat-milliseconds. */
function printWork(work: number): string {
  return `${(work / 1000).toFixed(8)}ss`;
}

function requestRows(flow: FlowControl, clock: Clock, isDetailed: boolean): readonly Row[] {
  const ago = clock.now() - clock.monotonic();
  const rowOf = (seat: Seat): Row =>
    isDetailed ? requestRow(seat, ago).concat(detailsOf(seat)) : requestRow(seat, ago);
  const rows = levelsOf(flow).flatMap((level) =>
    [...flow.present].filter(({ rule }) => rule.level === level).map(rowOf),
  );
  const columns = isDetailed ? `${REQUEST_COLUMNS} ${DETAIL_COLUMNS}` : REQUEST_COLUMNS;
  return [columns.split(" "), ...rows];
}

function requestRow({ rule, request, occupant, work, begunAt }: Seat, ago: number): Row {
  const { level } = rule;
  const { queue } = occupant;
  const { user, asked, now } = request;
  const isWaiting = occupant.state === "waiting";
  const namespace = asked.kind === "resource" ? asked.namespace : "";
  const { seats, after } = work;
  return [
    level.name,
    rule.name,
    queue === undefined ? -1 : level.queues.queues.indexOf(queue),
    isWaiting ? queue!.waiting.indexOf(occupant) : -1,
    rule.flowOf(user.username ?? "", namespace),
    printMoment(ago + now),
    after === 0 ? seats : 1,
    after === 0 ? 0 : seats,
    formatDuration(after),
    isWaiting ? "0001-01-01T00:00:00Z" : printMoment(ago + begunAt),
  ];
}

function detailsOf({ request: { user, asked } }: Seat): Row {
  const { username = "" } = user;
  if (asked.kind === "path") return [username, asked.verb, asked.path, "", "", "", "", ""];
  const { verb, group, version, resource, subresource, namespace, name } = asked;
  const api = group === "" ? version : `${group}/${version}`;
  const base = `/${group === "" ? "api" : "apis"}/${api}`;
  const inside = namespace === "" || resource === "namespaces" ? "" : `/namespaces/${namespace}`;
  const rest = [resource, name, subresource].filter((part) => part !== "").join("/");
  const path = `${base}${inside}/${rest}`;
  return [username, verb, path, namespace, name, api, resource, subresource];
}

/** With the fraction of the second, without its last zeros. */
function printMoment(milliseconds: number): string {
  const seconds = timeOfMilliseconds(milliseconds).slice(0, -1);
  const fraction = (((milliseconds % 1000) + 1000) % 1000) / 1000;
  return `${seconds}${fraction
    .toFixed(9)
    .slice(1)
    .replace(/\.?0+$/, "")}Z`;
}

const LEAST_WIDTH = 8;

/** Columns are as wide as their widest cell; the last is not filled up. */
function printRows(rows: readonly Row[]): string {
  const cells = rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? String(cell) : `${cell},`)),
  );
  const widths = cells[0]!.map((_, at) =>
    Math.max(LEAST_WIDTH, ...cells.map((row) => row[at]!.length + 1)),
  );
  const printed = cells.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]!))).join(""),
  );
  return `${printed.join("\n")}\n`;
}

function answerOf(text: string): Answer {
  const contentType = "text/plain; charset=utf-8";
  return { status: 200, payload: { kind: "text", contentType, text } };
}
