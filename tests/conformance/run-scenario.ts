import { realClock, sleep, timeoutSignal } from "@homeostat/concurrency";
import type { JsonValue } from "@homeostat/object-model";
import { parseAnswer } from "./parse-answer.ts";
import type { RecordedStep, RecordedWatch, Recording } from "./recording.ts";
import { fillBody, fillText } from "./references.ts";
import type { CrowdStep, Query, RequestStep, Scenario, Step, WatchStep } from "./scenario.ts";
import type { Target, TargetAnswer } from "./target.ts";

export interface RunOptions {
  readonly target: Target;
  /** The scenario's own namespace, which nobody else uses on this server. */
  readonly namespace: string;
}

/** Limits for servers that hang, not for machines that are busy. */
const answerWithin = "300s";
const eventsWithin = "60s";

/** Plays a scenario and answers what the server said. Never throws for what a server answers. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Recording> {
  const run = new Run(options);
  await run.makeNamespace();
  for (const step of scenario.steps) await run.perform(step);
  return {
    steps: run.recorded,
    sent: JSON.stringify(scenario.steps),
    namespace: run.namespace,
    unordered: scenario.unordered ?? run.recorded.some((step) => step.kind === "crowd"),
  };
}

class Run {
  readonly namespace: string;
  readonly recorded: RecordedStep[] = [];
  readonly answers = new Map<string, JsonValue | undefined>();
  readonly #target: Target;
  #position = 0;

  constructor(options: RunOptions) {
    this.namespace = options.namespace;
    this.#target = options.target;
  }

  async makeNamespace(): Promise<void> {
    const answer = await this.#send({
      action: "request",
      method: "POST",
      path: "/api/v1/namespaces",
      headers: { "content-type": "application/json" },
      body: { json: { apiVersion: "v1", kind: "Namespace", metadata: { name: this.namespace } } },
    });
    if (answer.status !== 201) {
      throw new Error(
        `${this.#target.name} refused namespace ${this.namespace}: ${answer.status} ${answer.text}`,
      );
    }
  }

  async perform(step: Step): Promise<void> {
    if (step.action === "pause") {
      const isNeeded = step.peerOnly !== true || this.#target.name === "kube-apiserver";
      return isNeeded ? sleep(realClock, step.milliseconds) : undefined;
    }
    const id = step.id ?? String(++this.#position);
    if (step.action === "crowd") return this.#performCrowd(id, step);
    if (step.action === "watch") return this.#performWatch(id, step);
    const asked = this.#asked(step);
    const { status, headers, text } = await this.#send(step);
    const body = parseAnswer(text);
    this.answers.set(id, body);
    const said = JSON.stringify(step.body ?? "");
    this.recorded.push({ id, kind: "answer", asked, said, status, headers, body });
  }

  async #performCrowd(id: string, step: CrowdStep): Promise<void> {
    const counts = new Map<string, number>();
    const waiting = [...step.requests].reverse();
    const worker = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const { status } = await this.#send(next);
        counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: step.inFlight }, worker));
    const statuses = Object.fromEntries([...counts].sort(([a], [b]) => a.localeCompare(b)));
    this.recorded.push({ id, kind: "crowd", statuses });
  }

  /** Steps of `during` are recorded before the watch itself. */
  async #performWatch(id: string, step: WatchStep): Promise<void> {
    using limit = timeoutSignal(realClock, answerWithin);
    const stop = new AbortController();
    const query = { watch: "true", ...step.query };
    const request: RequestStep = { ...step, action: "request", method: "GET", query };
    const asked = this.#asked(request);
    const answer = await this.#open(request, AbortSignal.any([stop.signal, limit.signal]));
    const headers = plainHeaders(answer.headers);
    if (answer.status !== 200) {
      const body = parseAnswer(await textOf(answer.chunks));
      this.answers.set(id, body);
      const { status } = answer;
      this.recorded.push({ id, kind: "answer", asked, said: "", status, headers, body });
      return;
    }
    const lines = new EventLines(answer.chunks);
    await lines.wait((events) => events.length >= (step.first ?? 0));
    for (const each of step.during ?? []) await this.perform(each);
    const { until } = step;
    const reached = await lines.wait((events, ended) => {
      if (until === "end") return ended;
      if ("events" in until) return events.length >= until.events;
      return nameOf(events.at(-1)) === fillText(until.name, this.#environment);
    });
    const end: RecordedWatch["end"] =
      until === "end" && reached
        ? "server"
        : reached
          ? "enough"
          : lines.ended
            ? "server"
            : "gave up";
    stop.abort();
    const events = [...lines.events];
    this.answers.set(id, events);
    this.recorded.push({ id, kind: "watch", asked, status: answer.status, headers, events, end });
  }

  async #send(step: RequestStep): Promise<{
    status: number;
    headers: Record<string, readonly string[]>;
    text: string;
  }> {
    using limit = timeoutSignal(realClock, answerWithin);
    const answer = await this.#open(step, limit.signal);
    return {
      status: answer.status,
      headers: plainHeaders(answer.headers),
      text: await textOf(answer.chunks),
    };
  }

  #open(step: RequestStep, signal: AbortSignal): Promise<TargetAnswer> {
    const environment = this.#environment;
    const body = step.body === undefined ? undefined : fillBody(step.body, environment);
    const headers: Record<string, string> = { accept: "application/json", "user-agent": "judge" };
    for (const [name, value] of Object.entries(step.headers ?? {})) {
      headers[name] = fillText(value, environment);
    }
    return this.#target.send({
      method: step.method,
      path: this.#path(step),
      headers,
      ...(body !== undefined && { body: new TextEncoder().encode(body) }),
      signal,
    });
  }

  #asked(step: RequestStep): string {
    return `${step.method} ${this.#path(step)}`;
  }

  #path(step: RequestStep): string {
    const fill = (text: string): string => fillText(text, this.#environment);
    return fill(step.path) + printQuery(step.query, fill);
  }

  get #environment(): { namespace: string; answers: Map<string, JsonValue | undefined> } {
    return { namespace: this.namespace, answers: this.answers };
  }
}

/** The events of a watch, one JSON text a line, gathered while nobody waits too. */
class EventLines {
  readonly events: JsonValue[] = [];
  ended = false;
  readonly #waiting = new Set<() => void>();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    void this.#read(chunks);
  }

  /** Until the condition holds: true. False when the stream has ended or time is over without. */
  async wait(done: (events: readonly JsonValue[], ended: boolean) => boolean): Promise<boolean> {
    using limit = timeoutSignal(realClock, eventsWithin);
    const holds = (): boolean => done(this.events, this.ended);
    while (!holds()) {
      if (this.ended || limit.signal.aborted) return false;
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        limit.signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    return true;
  }

  async #read(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const chunk of chunks) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          this.events.push(parseAnswer(line) ?? "");
          this.#wake();
        }
      }
    } catch {
      // Stopped by us, or cut by the server: either way nothing more comes.
    }
    if (rest !== "") this.events.push(parseAnswer(rest) ?? "");
    this.ended = true;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString("utf8");
}

function plainHeaders(headers: TargetAnswer["headers"]): Record<string, readonly string[]> {
  const plain: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = typeof value === "string" ? [value] : value;
  }
  return plain;
}

function printQuery(query: Query | undefined, fill: (text: string) => string): string {
  const parts = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map(
      (each) => `${encodeURIComponent(name)}=${encodeURIComponent(fill(each))}`,
    ),
  );
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function nameOf(event: JsonValue | undefined): JsonValue | undefined {
  const object = (event as { object?: { metadata?: { name?: JsonValue } } } | undefined)?.object;
  return object?.metadata?.name;
}
