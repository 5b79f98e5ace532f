/**
 * The grammar of CEL as a network of states, for finding out what a parser generated from the official
 * grammar would say about a text it refuses. Only refused texts come here; `parser.ts` reads the others.
 *
 * Elements are what such a parser executes in order; each knows the state the parser is in meanwhile,
 * and states know by which tokens and rules others are reached.
 */
import type { TokenKind } from "./token.ts";

type StateKind = "plain" | "block" | "loop-entry" | "loop-back" | "stop";

export interface State {
  readonly id: number;
  readonly kind: StateKind;
  readonly rule: RuleName;
  readonly edges: Edge[];
}

type Edge =
  | { readonly kind: "empty"; readonly to: State }
  /** Only in an invocation of at most this precedence. */
  | { readonly kind: "precedence"; readonly precedence: number; readonly to: State }
  | { readonly kind: "token"; readonly tokens: ReadonlySet<TokenKind>; readonly to: State }
  | { readonly kind: "rule"; readonly rule: RuleName; readonly to: State };

export type Element =
  | { readonly kind: "token"; readonly tokens: ReadonlySet<TokenKind>; readonly state: State }
  | {
      readonly kind: "rule";
      readonly rule: RuleName;
      readonly precedence: number;
      readonly state: State;
      readonly follow: State;
    }
  | { readonly kind: "optional"; readonly body: readonly Element[]; readonly state: State }
  | {
      readonly kind: "star" | "plus";
      readonly body: readonly Element[];
      /** Whether one token of lookahead tells if it goes on. */
      readonly simple: boolean;
      readonly state: State;
      readonly back: State;
    }
  | {
      readonly kind: "choice";
      readonly alternatives: readonly (readonly Element[])[];
      readonly simple: boolean;
      readonly state: State;
    };

export type RuleName =
  | "start"
  | "expr"
  | "conditionalOr"
  | "conditionalAnd"
  | "relation"
  | "calc"
  | "unary"
  | "member"
  | "primary"
  | "exprList"
  | "listInit"
  | "fieldInitializerList"
  | "optField"
  | "mapInitializerList"
  | "escapeIdent"
  | "optExpr"
  | "literal";

interface Rule {
  readonly elements: readonly Element[];
  readonly start: State;
  readonly stop: State;
  /** States behind every place that invokes the rule. */
  readonly follows: State[];
}

type Part =
  | { readonly tokens: readonly TokenKind[] }
  | { readonly rule: RuleName; readonly precedence: number }
  | { readonly optional: readonly Part[] }
  | { readonly star: readonly Part[]; readonly simple: boolean }
  | { readonly plus: readonly Part[]; readonly simple: boolean }
  | { readonly choice: readonly (readonly Part[])[]; readonly simple: boolean }
  | { readonly atMost: number };

const t = (...tokens: readonly TokenKind[]): Part => ({ tokens });
const r = (rule: RuleName, precedence = 0): Part => ({ rule, precedence });
const optional = (...parts: readonly Part[]): Part => ({ optional: parts });
const star = (...parts: readonly Part[]): Part => ({ star: parts, simple: true });
const predictedStar = (...parts: readonly Part[]): Part => ({ star: parts, simple: false });
const choice = (...alternatives: readonly (readonly Part[])[]): Part => ({
  choice: alternatives,
  simple: false,
});

const RULES: Readonly<Record<RuleName, readonly Part[]>> = {
  start: [r("expr"), t("<EOF>")],
  expr: [r("conditionalOr"), optional(t("?"), r("conditionalOr"), t(":"), r("expr"))],
  conditionalOr: [r("conditionalAnd"), star(t("||"), r("conditionalAnd"))],
  conditionalAnd: [r("relation"), star(t("&&"), r("relation"))],
  relation: [
    r("calc"),
    predictedStar({ atMost: 1 }, t("<", "<=", ">=", ">", "==", "!=", "in"), r("relation", 2)),
  ],
  calc: [
    r("unary"),
    predictedStar(
      choice(
        [{ atMost: 2 }, t("*", "/", "%"), r("calc", 3)],
        [{ atMost: 1 }, t("+", "-"), r("calc", 2)],
      ),
    ),
  ],
  unary: [
    choice(
      [r("member")],
      [{ plus: [t("!")], simple: true }, r("member")],
      [{ plus: [t("-")], simple: false }, r("member")],
    ),
  ],
  member: [
    r("primary"),
    predictedStar(
      choice(
        [t("."), optional(t("?")), r("escapeIdent")],
        [t("."), t("IDENTIFIER"), t("("), optional(r("exprList")), t(")")],
        [t("["), optional(t("?")), r("expr"), t("]")],
      ),
    ),
  ],
  primary: [
    choice(
      [optional(t(".")), t("IDENTIFIER")],
      [optional(t(".")), t("IDENTIFIER"), t("("), optional(r("exprList")), t(")")],
      [t("("), r("expr"), t(")")],
      [t("["), optional(r("listInit")), optional(t(",")), t("]")],
      [t("{"), optional(r("mapInitializerList")), optional(t(",")), t("}")],
      [
        optional(t(".")),
        t("IDENTIFIER"),
        star(t("."), t("IDENTIFIER")),
        t("{"),
        optional(r("fieldInitializerList")),
        optional(t(",")),
        t("}"),
      ],
      [r("literal")],
    ),
  ],
  exprList: [r("expr"), star(t(","), r("expr"))],
  listInit: [r("optExpr"), predictedStar(t(","), r("optExpr"))],
  fieldInitializerList: [
    r("optField"),
    t(":"),
    r("expr"),
    predictedStar(t(","), r("optField"), t(":"), r("expr")),
  ],
  optField: [optional(t("?")), r("escapeIdent")],
  mapInitializerList: [
    r("optExpr"),
    t(":"),
    r("expr"),
    predictedStar(t(","), r("optExpr"), t(":"), r("expr")),
  ],
  escapeIdent: [{ choice: [[t("IDENTIFIER")], [t("ESC_IDENTIFIER")]], simple: true }],
  optExpr: [optional(t("?")), r("expr")],
  literal: [
    choice(
      [optional(t("-")), t("NUM_INT")],
      [t("NUM_UINT")],
      [optional(t("-")), t("NUM_FLOAT")],
      [t("STRING")],
      [t("BYTES")],
      [t("true")],
      [t("false")],
      [t("null")],
    ),
  ],
};

export type Grammar = ReadonlyMap<RuleName, Rule>;

export function buildGrammar(): Grammar {
  return new Builder().build();
}

class Builder {
  readonly #rules = new Map<RuleName, Rule>();
  #states = 0;

  build(): Grammar {
    const names = Object.keys(RULES) as RuleName[];
    const started = names.map((name) => {
      const elements: Element[] = [];
      const start = this.#state(name, "plain");
      this.#rules.set(name, { elements, start, stop: this.#state(name, "stop"), follows: [] });
      return { name, elements, start };
    });
    for (const { name, elements, start } of started) {
      const end = this.#sequence({ rule: name, parts: RULES[name], from: start, elements });
      end.edges.push({ kind: "empty", to: this.#rule(name).stop });
    }
    return this.#rules;
  }

  #rule(name: RuleName): Rule {
    return this.#rules.get(name)!;
  }

  #state(rule: RuleName, kind: StateKind): State {
    this.#states += 1;
    return { id: this.#states, kind, rule, edges: [] };
  }

  /** Adds elements for the parts and gives the state behind them. */
  #sequence(options: {
    readonly rule: RuleName;
    readonly parts: readonly Part[];
    readonly from: State;
    readonly elements: Element[];
    readonly to?: State;
  }): State {
    const { rule, parts, from, elements } = options;
    let end = from;
    for (const [index, part] of parts.entries()) {
      const to = index === parts.length - 1 ? options.to : undefined;
      end = this.#part(part, { rule, from: end, elements, to });
    }
    return end;
  }

  #part(
    part: Part,
    at: {
      readonly rule: RuleName;
      readonly from: State;
      readonly elements: Element[];
      /** Where the last token or rule of an alternative leads at once. */
      readonly to: State | undefined;
    },
  ): State {
    const { rule, from, elements, to } = at;
    const direct = "tokens" in part || "rule" in part ? to : undefined;
    const next = direct ?? this.#state(rule, "plain");
    if ("atMost" in part) {
      from.edges.push({ kind: "precedence", precedence: part.atMost, to: next });
      return next;
    }
    if ("tokens" in part) {
      const state = this.#linked(from, "plain");
      const tokens = new Set(part.tokens);
      state.edges.push({ kind: "token", tokens, to: next });
      elements.push({ kind: "token", tokens, state });
      return next;
    }
    if ("rule" in part) {
      const state = this.#linked(from, "plain");
      state.edges.push({ kind: "rule", rule: part.rule, to: next });
      this.#rule(part.rule).follows.push(next);
      elements.push({
        kind: "rule",
        rule: part.rule,
        precedence: part.precedence,
        state,
        follow: next,
      });
      return next;
    }
    if ("optional" in part) {
      const state = this.#linked(from, "block");
      const body = this.#alternative(part.optional, state, next);
      state.edges.push({ kind: "empty", to: next });
      elements.push({ kind: "optional", body, state });
      return next;
    }
    if ("choice" in part) {
      const state = this.#linked(from, "block");
      const alternatives = part.choice.map((parts) => this.#alternative(parts, state, next));
      elements.push({ kind: "choice", alternatives, simple: part.simple, state });
      return next;
    }
    return this.#loop(part, { from, elements, next });
  }

  #loop(
    part: Extract<Part, { star: unknown } | { plus: unknown }>,
    at: { readonly from: State; readonly elements: Element[]; readonly next: State },
  ): State {
    const isStar = "star" in part;
    const state = this.#linked(at.from, isStar ? "loop-entry" : "block");
    const back = this.#state(state.rule, "loop-back");
    const body = this.#alternative(isStar ? part.star : part.plus, state, back);
    if (isStar) state.edges.push({ kind: "empty", to: at.next });
    back.edges.push({ kind: "empty", to: state });
    if (!isStar) back.edges.push({ kind: "empty", to: at.next });
    at.elements.push({ kind: isStar ? "star" : "plus", body, simple: part.simple, state, back });
    return at.next;
  }

  #alternative(parts: readonly Part[], from: State, to: State): readonly Element[] {
    const elements: Element[] = [];
    const start = this.#linked(from, "plain");
    const end = this.#sequence({ rule: from.rule, parts, from: start, elements, to });
    if (end !== to) end.edges.push({ kind: "empty", to });
    return elements;
  }

  #linked(from: State, kind: StateKind): State {
    const state = this.#state(from.rule, kind);
    from.edges.push({ kind: "empty", to: state });
    return state;
  }
}
