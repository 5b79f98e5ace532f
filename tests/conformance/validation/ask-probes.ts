/** Sends the probes of one kind to one server. Only the variants themselves are really created. */
import { type Duration, realClock, sleep, timeoutSignal } from "@homeostat/concurrency";
import { type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import { parseAnswer } from "../parse-answer.ts";
import type { Target } from "../target.ts";
import { type Answer, managersOf, probingManager, rename } from "./answer.ts";
import { resourceOf } from "./derive-probes.ts";
import { applyEdits } from "./edits.ts";
import { baseObject, type Probe, type ProbedKind } from "./probe.ts";
import { clipCauses } from "./refusal.ts";
import { isObject, textOf } from "./walk-fields.ts";

const probeNamespace = "probes";

export interface AskOptions {
  readonly target: Target;
  readonly inFlight: number;
  /** Whether to ask again where the order of causes may be chance. */
  readonly repeat: boolean;
  /** How long a server may take to add what it adds to some objects by itself. */
  readonly settling: Duration;
}

export interface AskedProbe {
  readonly probe: Probe;
  /** The body, renamed like the answer. */
  readonly sent: JsonObject;
  readonly answer: Answer;
}

interface RawAnswer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: JsonValue;
}

const timesAgain = 4;

/** Kinds whose objects controllers inside the server write to. */
const settlingKinds = new Set([
  "apiservices",
  "customresourcedefinitions",
  "flowschemas",
  "prioritylevelconfigurations",
  "servicecidrs",
]);

export async function prepareTarget(target: Target): Promise<void> {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: probeNamespace } };
  const { status } = await send(target, { method: "POST", path: "/api/v1/namespaces", body });
  if (status !== 201)
    throw new Error(`${target.name}: namespace ${probeNamespace}: HTTP ${status}`);
}

/** In the order of the probes. */
export async function askProbes(
  kind: ProbedKind,
  probes: readonly Probe[],
  options: AskOptions,
): Promise<AskedProbe[]> {
  const asking = new Asking(kind, options);
  const creates = probes.filter(({ operation }) => operation === "create");
  const answers = new Map<Probe, AskedProbe>();
  const run = async (some: readonly Probe[]): Promise<void> => {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let probe = some[next++]; probe !== undefined; probe = some[next++]) {
        answers.set(probe, await asking.ask(probe));
      }
    };
    await Promise.all(Array.from({ length: options.inFlight }, work));
  };
  await run(creates);
  const others = probes.filter((probe) => !answers.has(probe));
  await asking.store([...new Set(others.map(({ variant }) => variant))]);
  await run(others);
  return probes.map((probe) => answers.get(probe)!);
}

class Asking {
  readonly #kind: ProbedKind & { readonly kind: string };
  readonly #options: AskOptions;
  readonly #collection: string;
  readonly #stored = new Map<string, JsonObject>();
  readonly #bases = new Map<string, JsonObject>();

  constructor(kind: ProbedKind, options: AskOptions) {
    const resource = resourceOf(kind);
    this.#kind = { ...kind, kind: resource.kind };
    this.#options = options;
    const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
    const scope = resource.scope === "Namespaced" ? `/namespaces/${probeNamespace}` : "";
    this.#collection = `${root}${scope}/${kind.plural}`;
  }

  async store(variants: readonly string[]): Promise<void> {
    const { target } = this.#options;
    for (const variant of variants) {
      const body = baseObject(this.#kind, variant);
      await send(target, { method: "POST", path: this.#collection, body });
    }
    for (const variant of this.#kind.withStatus ?? []) await this.#storeStatus(variant);
    if (settlingKinds.has(this.#kind.plural)) await sleep(realClock, this.#options.settling);
    for (const variant of variants) await this.#fetch(variant);
  }

  async #storeStatus(variant: string): Promise<void> {
    await this.#fetch(variant);
    const status = ownKey(baseObject(this.#kind, variant), "status")!;
    const body = { ...this.#stored.get(variant)!, status };
    const path = `${this.#pathOf(variant)}/status`;
    await send(this.#options.target, { method: "PUT", path, body });
  }

  async #fetch(variant: string): Promise<void> {
    const path = this.#pathOf(variant);
    const { status, body } = await send(this.#options.target, { method: "GET", path });
    const isThere = status === 200 && isObject(body);
    const stored = isThere ? body : baseObject(this.#kind, variant);
    this.#stored.set(variant, withoutManagedFields(stored));
  }

  #pathOf(variant: string): string {
    const name = textOf(this.#written(variant)["metadata"], "name");
    return `${this.#collection}/${encodeURIComponent(name)}`;
  }

  async ask(probe: Probe): Promise<AskedProbe> {
    const renaming = { said: this.#said(probe), generateName: this.#generateName(probe) };
    const answers: Answer[] = [];
    let sent: JsonObject = {};
    do {
      const body = this.#body(probe);
      sent = rename(body, renaming) as JsonObject;
      const answer = await this.#send(probe, body).catch(noAnswer);
      answers.push({
        status: answer.status,
        warnings: answer.warnings,
        body: clipCauses(sent, rename(answer.body, renaming)),
        ...(this.#sharesStatus(probe) ? {} : managersOf(answer.body, renaming)),
      });
    } while (this.#options.repeat && hasCauses(answers[0]!) && answers.length <= timesAgain);
    const [first] = answers;
    const isStable = answers.every((each) => JSON.stringify(each) === JSON.stringify(first));
    return { probe, sent, answer: isStable ? first! : { ...first!, unordered: true } };
  }

  /** Who manages what then depends on what others have written meanwhile. */
  #sharesStatus({ operation }: Probe): boolean {
    return operation === "status" && settlingKinds.has(this.#kind.plural);
  }

  #generateName(probe: Probe): string {
    const isNamed = !probe.edits.some(({ at: [first, second] }) => {
      return first === "metadata" && (second === undefined || second === "name");
    });
    if (probe.operation !== "create" || isNamed) return "";
    const metadata = ownKey(this.#body(probe), "metadata");
    return textOf(metadata, "name") === "" ? textOf(metadata, "generateName") : "";
  }

  /** Rarely asked for, so it is made when it is. */
  #said(probe: Probe): () => string {
    let text: string | undefined;
    return () => (text ??= JSON.stringify(applyEdits(this.#written(probe.variant), probe.edits)));
  }

  async #send(probe: Probe, body: JsonObject): Promise<RawAnswer> {
    const { target } = this.#options;
    const query = "?dryRun=All";
    if (probe.operation === "create") {
      return send(target, { method: "POST", path: this.#collection + query, body });
    }
    const subresource = probe.operation === "update" ? "" : `/${probe.operation}`;
    const path = `${this.#pathOf(probe.variant)}${subresource}${query}`;
    const answer = await send(target, { method: "PUT", path, body });
    const isStale = answer.status === 409 && !said(probe, "resourceVersion");
    if (!isStale || !JSON.stringify(answer.body).includes("has been modified")) return answer;
    await this.#fetch(probe.variant);
    return send(target, { method: "PUT", path, body: this.#body(probe) });
  }

  /** What is changed: the object as written, or as this server stored it. */
  #body(probe: Probe): JsonObject {
    if (probe.operation === "create") return applyEdits(this.#written(probe.variant), probe.edits);
    const stored = this.#stored.get(probe.variant)!;
    if (probe.operation !== "status") return applyEdits(stored, probe.edits);
    const status = ownKey(this.#written(probe.variant), "status")!;
    return applyEdits({ ...stored, status }, probe.edits);
  }

  #written(variant: string): JsonObject {
    const known = this.#bases.get(variant) ?? baseObject(this.#kind, variant);
    this.#bases.set(variant, known);
    return known;
  }
}

/** kube-apiserver ends the connection where its own code panics. */
function noAnswer(cause: Error): RawAnswer {
  return { status: 0, warnings: [], body: `no answer: ${cause.message}` };
}

function said(probe: Probe, word: string): boolean {
  return JSON.stringify(probe.edits).includes(word);
}

function hasCauses({ body }: Answer): boolean {
  const details = isObject(body) ? ownKey(body, "details") : undefined;
  const causes = isObject(details) ? ownKey(details, "causes") : undefined;
  return Array.isArray(causes) && causes.length > 1;
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = object["metadata"] as JsonObject;
  return { ...object, metadata };
}

async function send(
  target: Target,
  request: { method: string; path: string; body?: JsonObject },
): Promise<RawAnswer> {
  const { method, path, body } = request;
  using limit = timeoutSignal(realClock, "60s");
  const headers: Record<string, string> = {
    accept: "application/json",
    "user-agent": probingManager,
  };
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await target.send({
    method,
    path,
    headers,
    ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)) }),
    signal: limit.signal,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.chunks) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const warning = answer.headers["warning"] ?? [];
  const warnings = (typeof warning === "string" ? [warning] : [...warning]).map(headerText);
  return { status: answer.status, warnings, body: parseBody(text) };
}

/** Node reads the bytes of a header one by one; kube-apiserver sends UTF-8. */
function headerText(text: string): string {
  if (/[\u0100-\uffff]/.test(text)) return text;
  const decoded = Buffer.from(text, "latin1").toString("utf8");
  return decoded.includes("\uFFFD") ? text : decoded;
}

/** Where no number could read back differently, the plain way: it is several times as fast. */
function parseBody(text: string): JsonValue {
  const isPlain = text.startsWith("{") && !/[:[,]-?\d+(?:\.|[eE]|\d{15})/.test(text);
  return isPlain ? (JSON.parse(text) as JsonValue) : (parseAnswer(text) ?? null);
}
