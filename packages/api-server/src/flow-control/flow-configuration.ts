import { compareBytewise } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type {
  FlowSchema,
  PriorityLevelConfiguration,
} from "@homeostat/object-model/flowcontrol-v1";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import type { Plane } from "../registry/plane.ts";
import { decodeStored } from "../registry/stored-object.ts";
import { matchesFlow } from "./flow-match.ts";
import { type FlowFigures, FlowRule, newFigures } from "./flow-schema.ts";
import { lendSeats } from "./lend-seats.ts";
import { PriorityLevel } from "./priority-level.ts";

const GROUP = "flowcontrol.apiserver.k8s.io";
/** How many kinds of requests of one user are remembered; of more, all are forgotten. */
const MAX_KNOWN = 256;

interface Known {
  readonly verb: string;
  readonly group: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly rule: FlowRule;
}

/**
 * The stored FlowSchemas and PriorityLevelConfigurations, ready to be asked. Read when first asked and
 * again after each change; the queues of a level stay what they are as long as it has its name. A
 * schema that names no level is nobody's.
 */
export class FlowConfiguration implements Disposable {
  readonly #plane: Pick<Plane, "store" | "table" | "clock">;
  readonly #seats: number;
  readonly #levels = new Map<string, PriorityLevel>();
  readonly #figures = new Map<string, FlowFigures>();
  readonly #stops: (() => void)[] = [];
  #rules: readonly FlowRule[] = [];
  #namesNamespaces = false;
  #isStale = true;
  #isFollowing = false;
  /** By the user, so that what is known of users goes with them; then by resource or path. */
  #known = new WeakMap<UserInfo, Map<string, Known[]>>();

  constructor(plane: Pick<Plane, "store" | "table" | "clock">, seats: number) {
    this.#plane = plane;
    this.#seats = seats;
  }

  get levels(): readonly PriorityLevel[] {
    this.#refresh();
    return [...this.#levels.values()];
  }

  get figures(): readonly FlowFigures[] {
    return [...this.#figures.values()];
  }

  /** The first schema in their order that is about the request. */
  ruleOf(user: UserInfo, asked: AccessAttributes): FlowRule {
    this.#refresh();
    let mine = this.#known.get(user);
    if (mine === undefined) {
      mine = new Map();
      this.#known.set(user, mine);
    }
    const isResource = asked.kind === "resource";
    const at = isResource ? asked.resource : asked.path;
    const group = isResource ? asked.group : "/";
    const subresource = isResource ? asked.subresource : "";
    const namespace = isResource ? this.#namespaceOf(asked.namespace) : "";
    const { verb } = asked;
    const known = mine.get(at);
    for (const each of known ?? []) {
      if (
        each.verb === verb &&
        each.namespace === namespace &&
        each.group === group &&
        each.subresource === subresource
      ) {
        return each.rule;
      }
    }
    const rule = this.#rules.find(({ spec }) => matchesFlow(spec, user, asked)) ?? this.#catchAll;
    const entry = { verb, group, subresource, namespace, rule };
    if (mine.size >= MAX_KNOWN) mine.clear();
    if (known === undefined || known.length >= MAX_KNOWN) mine.set(at, [entry]);
    else known.push(entry);
    return rule;
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Where no schema tells namespaces apart, all are one. */
  #namespaceOf(namespace: string): string {
    return this.#namesNamespaces || namespace === "" ? namespace : "*";
  }

  get #catchAll(): FlowRule {
    return this.#rules.find(({ name }) => name === "catch-all") ?? this.#rules.at(-1)!;
  }

  #refresh(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    const schemas = this.#read<FlowSchema>("flowschemas");
    const configured = this.#read<PriorityLevelConfiguration>("prioritylevelconfigurations");
    this.#isFollowing = true;
    const now = this.#plane.clock.monotonic();
    this.#setLevels(withMandatory(configured), now);
    const rules = [...schemas, ...lacking(schemas)].toSorted(byPrecedence).flatMap((schema) => {
      const level = this.#levels.get(schema.spec?.priorityLevelConfiguration.name ?? "");
      return level === undefined ? [] : [this.#ruleFor(schema, level)];
    });
    this.#rules = rules;
    this.#namesNamespaces = rules.some(({ spec }) => namesNamespaces(spec));
    this.#known = new WeakMap();
  }

  #setLevels(configured: readonly PriorityLevelConfiguration[], now: number): void {
    const names = new Set(configured.map(({ metadata }) => metadata.name ?? ""));
    for (const name of this.#levels.keys()) if (!names.has(name)) this.#levels.delete(name);
    for (const each of configured) {
      const name = each.metadata.name ?? "";
      const level = this.#levels.get(name) ?? new PriorityLevel(name, now);
      level.configure(each);
      this.#levels.set(name, level);
    }
    const levels = [...this.#levels.values()];
    const shareSum = levels.reduce((sum, { shares }) => sum + shares, 0);
    for (const level of levels) level.takePart(this.#seats, shareSum);
    lendSeats(levels, { now, periods: 1 });
  }

  #ruleFor(schema: FlowSchema, level: PriorityLevel): FlowRule {
    const name = schema.metadata.name ?? "";
    const key = `${name}/${level.name}`;
    let figures = this.#figures.get(key);
    if (figures === undefined) {
      figures = newFigures(name, level.name);
      this.#figures.set(key, figures);
    }
    return new FlowRule(schema, level, figures);
  }

  #read<T>(resource: string): T[] {
    const { store, table } = this.#plane;
    const { prefix } = table.findStored(GROUP, resource)!;
    if (!this.#isFollowing) {
      this.#stops.push(store.observe(prefix, () => void (this.#isStale = true)));
    }
    const { items } = store.list({ prefix });
    return items.map(({ value, revision }) => decodeStored(value, revision) as unknown as T);
  }
}

function byPrecedence(a: FlowSchema, b: FlowSchema): number {
  const difference = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  if (difference !== 0) return difference;
  return compareBytewise(a.metadata.name ?? "", b.metadata.name ?? "");
}

function namesNamespaces({ rules = [] }: FlowRule["spec"]): boolean {
  return rules.some(({ resourceRules = [] }) =>
    resourceRules.some(({ namespaces = [] }) => namespaces.some((each) => each !== "*")),
  );
}

/** These hold also while nobody has stored them. */
function withMandatory(
  stored: readonly PriorityLevelConfiguration[],
): readonly PriorityLevelConfiguration[] {
  const has = (name: string): boolean => stored.some(({ metadata }) => metadata.name === name);
  return [
    ...stored,
    ...(has("exempt") ? [] : [{ metadata: { name: "exempt" }, spec: { type: "Exempt" } }]),
    ...(has("catch-all")
      ? []
      : [
          {
            metadata: { name: "catch-all" },
            spec: {
              type: "Limited",
              limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } },
            },
          },
        ]),
  ];
}

const EVERYTHING = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] },
];
const EVERY_PATH = [{ verbs: ["*"], nonResourceURLs: ["*"] }];

function lacking(stored: readonly FlowSchema[]): readonly FlowSchema[] {
  const has = (name: string): boolean => stored.some(({ metadata }) => metadata.name === name);
  const schema = (name: string, precedence: number, groups: readonly string[]): FlowSchema => ({
    metadata: { name },
    spec: {
      priorityLevelConfiguration: { name },
      matchingPrecedence: precedence,
      ...(name === "catch-all" && { distinguisherMethod: { type: "ByUser" } }),
      rules: [
        {
          subjects: groups.map((group) => ({ kind: "Group", group: { name: group } })),
          resourceRules: EVERYTHING,
          nonResourceRules: EVERY_PATH,
        },
      ],
    },
  });
  return [
    ...(has("exempt") ? [] : [schema("exempt", 1, ["system:masters"])]),
    ...(has("catch-all")
      ? []
      : [schema("catch-all", 10_000, ["system:unauthenticated", "system:authenticated"])]),
  ];
}
