import type { Grammar, State } from "./grammar.ts";
import type { Token, TokenKind } from "./token.ts";

/** No alternative of a decision goes on with these tokens. */
interface NoAlternative {
  readonly kind: "none";
  /** How many tokens on the one is that none could take. */
  readonly ahead: number;
}

export type Prediction = { readonly kind: "alternative"; readonly index: number } | NoAlternative;

/** Rules entered since the decision, the innermost first. */
interface Stack {
  readonly follow: State;
  readonly below: Stack | undefined;
  readonly id: string;
}

interface Config {
  readonly state: State;
  readonly alternative: number;
  readonly stack: Stack | undefined;
  /** The rule of the decision has ended on the way here. */
  readonly outside: boolean;
}

interface PredictionOptions {
  /** Of the invocation that decides. */
  readonly precedence: number;
  readonly lookAhead: (ahead: number) => Token;
}

type Decide = (configs: readonly Config[]) => number | "conflict" | undefined;

/** Configs after some tokens, and what comes of each next token once it was asked. */
interface Step {
  readonly configs: readonly Config[];
  readonly outcomes: Map<TokenKind, Outcome>;
}

type Outcome =
  | { readonly kind: "alternative"; readonly index: number }
  | { readonly kind: "none" }
  | { readonly kind: "conflict" }
  | { readonly kind: "next"; readonly step: Step };

/**
 * Which alternative of a decision the tokens ask for: all are followed at once, token by token, until
 * one is left or those left cannot be told apart (then the first). When none can take a token, the
 * first that had ended its rule before is taken: what comes after is not its mistake.
 *
 * Steps are kept, so that a long text of few kinds of parts takes time in proportion to its length.
 */
export class Predictor {
  readonly #grammar: Grammar;
  readonly #starts = new Map<string, Step>();
  readonly #steps = new Map<string, Step>();

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
  }

  /** How many steps are kept. */
  get size(): number {
    return this.#steps.size;
  }

  predict(decision: State, options: PredictionOptions): Prediction {
    const first = this.#follow(decision, { ...options, decide: uniqueOrConflicting });
    if (first.kind !== "conflict") return first;
    const second = this.#follow(decision, { ...options, decide: viable });
    return second.kind === "conflict" ? { kind: "none", ahead: 0 } : second;
  }

  #follow(
    decision: State,
    options: PredictionOptions & { readonly decide: Decide },
  ): Prediction | { readonly kind: "conflict" } {
    const { lookAhead } = options;
    let step = this.#start(decision, options);
    for (let ahead = 0; ; ahead += 1) {
      const { kind } = lookAhead(ahead);
      const outcome = step.outcomes.get(kind) ?? this.#outcome(step, kind, options);
      step.outcomes.set(kind, outcome);
      switch (outcome.kind) {
        case "next":
          ({ step } = outcome);
          break;
        case "none":
          return { kind: "none", ahead };
        default:
          return outcome;
      }
    }
  }

  #start(
    decision: State,
    { precedence, decide }: PredictionOptions & { readonly decide: Decide },
  ): Step {
    const key = `${decision.id}/${precedence}/${decide.name}`;
    const known = this.#starts.get(key);
    if (known !== undefined) return known;
    const configs = decision.edges.flatMap((edge, index) => {
      const start = { state: edge.to, alternative: index, stack: undefined, outside: false };
      return this.#closure([start], precedence);
    });
    const step = { configs, outcomes: new Map<TokenKind, Outcome>() };
    this.#starts.set(key, step);
    return step;
  }

  #outcome(
    { configs }: Step,
    kind: TokenKind,
    { precedence, decide }: PredictionOptions & { readonly decide: Decide },
  ): Outcome {
    const moved = configs.flatMap((config) =>
      config.state.edges.flatMap((edge) =>
        edge.kind === "token" && edge.tokens.has(kind) ? [{ ...config, state: edge.to }] : [],
      ),
    );
    const reached = this.#closure(moved, precedence);
    if (reached.length === 0) {
      const ended = configs.filter(({ outside }) => outside).map(({ alternative }) => alternative);
      return ended.length === 0
        ? { kind: "none" }
        : { kind: "alternative", index: Math.min(...ended) };
    }
    const decided = decide(reached.filter(({ state }) => waits(state)));
    if (decided === "conflict") return { kind: "conflict" };
    if (decided !== undefined) return { kind: "alternative", index: decided };
    if (kind === "<EOF>") {
      const alternatives = reached.map(({ alternative }) => alternative);
      return { kind: "alternative", index: Math.min(...alternatives) };
    }
    const key = `${precedence}/${decide.name}/${reached.map(keyOf).join(" ")}`;
    const step = this.#steps.get(key) ?? { configs: reached, outcomes: new Map() };
    this.#steps.set(key, step);
    return { kind: "next", step };
  }

  #closure(start: readonly Config[], precedence: number): Config[] {
    const seen = new Set<string>();
    const found: Config[] = [];
    const open = [...start].reverse();
    for (let config = open.pop(); config !== undefined; config = open.pop()) {
      const key = keyOf(config);
      if (seen.has(key)) continue;
      seen.add(key);
      found.push(config);
      open.push(...this.#next(config, precedence).reverse());
    }
    return found;
  }

  /** Where a config gets without a token. */
  #next(config: Config, precedence: number): Config[] {
    const { state, stack, outside } = config;
    if (state.kind === "stop") {
      if (stack !== undefined) return [{ ...config, state: stack.follow, stack: stack.below }];
      const { follows } = this.#grammar.get(state.rule)!;
      const { alternative } = config;
      return follows.map((follow) => ({ state: follow, alternative, stack, outside: true }));
    }
    return state.edges.flatMap((edge): Config[] => {
      switch (edge.kind) {
        case "empty":
          return [{ ...config, state: edge.to }];
        case "precedence": {
          const counts = stack === undefined && !outside;
          return counts && precedence > edge.precedence ? [] : [{ ...config, state: edge.to }];
        }
        case "rule": {
          const id = `${edge.to.id},${stack?.id ?? ""}`;
          const inner = { follow: edge.to, below: stack, id };
          return [{ ...config, state: this.#grammar.get(edge.rule)!.start, stack: inner }];
        }
        case "token":
          return [];
      }
    });
  }
}

/** Not only a step on the way to other states. */
function waits(state: State): boolean {
  return state.kind === "stop" || state.edges.some(({ kind }) => kind === "token");
}

/** One alternative is left; or some are in one place, and none is anywhere alone. */
function uniqueOrConflicting(configs: readonly Config[]): number | "conflict" | undefined {
  const alternatives = new Set(configs.map(({ alternative }) => alternative));
  if (alternatives.size === 1) return configs[0]!.alternative;
  const alone = [...grouped(configs, ({ state }) => `${state.id}`)].some(({ size }) => size === 1);
  const conflict = !alone && [...grouped(configs, placeOf)].some(({ size }) => size > 1);
  return conflict ? "conflict" : undefined;
}

/** Of alternatives in one place only the first counts; whether that leaves one. */
function viable(configs: readonly Config[]): number | undefined {
  const first = new Set(
    [...grouped(configs, placeOf)].map((alternatives) => Math.min(...alternatives)),
  );
  return first.size === 1 ? [...first][0] : undefined;
}

function keyOf({ state, alternative, stack, outside }: Config): string {
  return `${state.id}/${alternative}/${stack?.id ?? ""}/${outside}`;
}

function placeOf({ state, stack }: Config): string {
  return `${state.id}/${stack?.id ?? ""}`;
}

/** The alternatives at each place. */
function grouped(
  configs: readonly Config[],
  place: (config: Config) => string,
): Iterable<ReadonlySet<number>> {
  const groups = new Map<string, Set<number>>();
  for (const config of configs) {
    const key = place(config);
    const group = groups.get(key) ?? new Set();
    group.add(config.alternative);
    groups.set(key, group);
  }
  return groups.values();
}
