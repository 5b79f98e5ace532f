/**
 * Calls that are rewritten while parsing: `has(a.b)`, `list.all(x, ...)` and their kin, the same with
 * two variables, `optMap`, `optFlatMap` and `sortBy`. Which macro a call is depends on its name, on
 * having a target and on the number of arguments; a name with other arguments is an ordinary call.
 */
import { ACCUMULATOR, type Expression, OLD_ACCUMULATOR, UNUSED_VARIABLE } from "./expression.ts";
import type { ExpressionsAt } from "./expression-factory.ts";

/** Arguments that the macro cannot take. */
export class MacroError extends Error {
  override readonly name = "MacroError";
  readonly code = "macro-misused";
  readonly argument: Expression;

  constructor(argument: Expression, message: string) {
    super(message);
    this.argument = argument;
  }
}

interface MacroCall {
  readonly make: ExpressionsAt;
  readonly target: Expression;
  readonly args: readonly [Expression, ...Expression[]];
}

type Macro = (call: MacroCall) => Expression;

export interface MacroCandidate {
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
  readonly make: ExpressionsAt;
}

/** Undefined where the call is no macro. */
export function expandMacro({ name, target, args, make }: MacroCandidate): Expression | undefined {
  const macro = MACROS.get(`${name}:${args.length}:${target === undefined ? "" : "member"}`);
  const [first, ...rest] = args;
  if (macro === undefined || first === undefined) return undefined;
  return macro({ make, target: target ?? first, args: [first, ...rest] });
}

const MACROS: ReadonlyMap<string, Macro> = new Map([
  ["has:1:", has],
  ["all:2:member", (call: MacroCall) => all(call, oneVariable(call))],
  ["exists:2:member", (call: MacroCall) => exists(call, oneVariable(call))],
  ["exists_one:2:member", (call: MacroCall) => existsOne(call, oneVariable(call))],
  ["map:2:member", map],
  ["map:3:member", map],
  ["filter:2:member", filter],
  ["all:3:member", (call: MacroCall) => all(call, twoVariables(call))],
  ["exists:3:member", (call: MacroCall) => exists(call, twoVariables(call))],
  ["existsOne:3:member", (call: MacroCall) => existsOne(call, twoVariables(call))],
  ["exists_one:3:member", (call: MacroCall) => existsOne(call, twoVariables(call))],
  ["transformList:3:member", transformList],
  ["transformList:4:member", transformList],
  ["transformMap:3:member", transformMap],
  ["transformMap:4:member", transformMap],
  ["transformMapEntry:3:member", transformMapEntry],
  ["transformMapEntry:4:member", transformMapEntry],
  [
    "optMap:2:member",
    (call: MacroCall) => call.make.call("_?_:_", ...optionalBranches(call, true)),
  ],
  [
    "optFlatMap:2:member",
    (call: MacroCall) => call.make.call("_?_:_", ...optionalBranches(call, false)),
  ],
  ["sortBy:2:member", sortBy],
]);

interface Variables {
  readonly variable: string;
  readonly variable2?: string;
  /** The arguments after the variables. */
  readonly rest: readonly Expression[];
}

function has({ make, args: [argument] }: MacroCall): Expression {
  if (argument.kind !== "select") throw new MacroError(argument, "invalid argument to has() macro");
  return make.presence(argument.operand, argument.field);
}

function all({ make, target }: MacroCall, { rest, ...variables }: Variables): Expression {
  return make.comprehension({
    ...variables,
    range: target,
    init: make.literal(true),
    condition: make.call("@not_strictly_false", make.accumulator()),
    step: make.call("_&&_", make.accumulator(), rest[0]!),
    result: make.accumulator(),
  });
}

function exists({ make, target }: MacroCall, { rest, ...variables }: Variables): Expression {
  return make.comprehension({
    ...variables,
    range: target,
    init: make.literal(false),
    condition: make.call("@not_strictly_false", make.call("!_", make.accumulator())),
    step: make.call("_||_", make.accumulator(), rest[0]!),
    result: make.accumulator(),
  });
}

function existsOne({ make, target }: MacroCall, { rest, ...variables }: Variables): Expression {
  const more = make.call("_+_", make.accumulator(), make.literal(1n));
  return make.comprehension({
    ...variables,
    range: target,
    init: make.literal(0n),
    condition: make.literal(true),
    step: make.call("_?_:_", rest[0]!, more, make.accumulator()),
    result: make.call("_==_", make.accumulator(), make.literal(1n)),
  });
}

function map(call: MacroCall): Expression {
  const { make, target } = call;
  const { rest, ...variables } = oneVariable(call, "argument is not an identifier");
  return collect({ make, target, variables, init: make.list(), rest, add: appended(make) });
}

function filter(call: MacroCall): Expression {
  const { make, target, args } = call;
  const { rest, ...variables } = oneVariable(call, "argument is not an identifier");
  const kept = make.call("_+_", make.accumulator(), make.list(args[0]));
  return make.comprehension({
    ...variables,
    range: target,
    init: make.list(),
    condition: make.literal(true),
    step: make.call("_?_:_", rest[0]!, kept, make.accumulator()),
    result: make.accumulator(),
  });
}

function transformList(call: MacroCall): Expression {
  const { make, target } = call;
  const { rest, ...variables } = twoVariables(call);
  return collect({ make, target, variables, init: make.list(), rest, add: appended(make) });
}

function transformMap(call: MacroCall): Expression {
  const { make, target } = call;
  const { rest, ...variables } = twoVariables(call);
  const add = (value: Expression): Expression =>
    make.call("cel.@mapInsert", make.accumulator(), make.name(variables.variable), value);
  return collect({ make, target, variables, init: make.emptyMap(), rest, add });
}

function transformMapEntry(call: MacroCall): Expression {
  const { make, target } = call;
  const { rest, ...variables } = twoVariables(call);
  const add = (entry: Expression): Expression =>
    make.call("cel.@mapInsert", make.accumulator(), entry);
  return collect({ make, target, variables, init: make.emptyMap(), rest, add });
}

function appended(make: ExpressionsAt): (value: Expression) => Expression {
  return (value) => make.call("_+_", make.accumulator(), make.list(value));
}

/** `rest` is a transformation, or a condition and a transformation. */
function collect(parts: {
  readonly make: ExpressionsAt;
  readonly target: Expression;
  readonly variables: { readonly variable: string; readonly variable2?: string };
  readonly init: Expression;
  readonly rest: readonly Expression[];
  readonly add: (value: Expression) => Expression;
}): Expression {
  const { make, rest } = parts;
  const condition = rest.length === 2 ? rest[0] : undefined;
  const added = parts.add(rest.at(-1)!);
  return make.comprehension({
    ...parts.variables,
    range: parts.target,
    init: parts.init,
    condition: make.literal(true),
    step:
      condition === undefined ? added : make.call("_?_:_", condition, added, make.accumulator()),
    result: make.accumulator(),
  });
}

/** The target stands twice in what comes out: as one node, since copies would double with every call. */
function optionalBranches({ make, target, args }: MacroCall, wrap: boolean): Expression[] {
  const [name, computed] = args;
  if (name.kind !== "name") {
    const macro = wrap ? "optMap" : "optFlatMap";
    throw new MacroError(name, `${macro}() variable name must be a simple identifier`);
  }
  const bound = make.comprehension({
    variable: UNUSED_VARIABLE,
    accumulator: name.name,
    range: make.list(),
    init: make.memberCall("value", target),
    condition: make.literal(false),
    step: make.name(name.name),
    result: computed!,
  });
  return [
    make.memberCall("hasValue", target),
    wrap ? make.call("optional.of", bound) : bound,
    make.call("optional.none"),
  ];
}

const SORTABLE: ReadonlySet<Expression["kind"]> = new Set([
  "list",
  "select",
  "name",
  "comprehension",
  "call",
]);

function sortBy(call: MacroCall): Expression {
  const { make, target } = call;
  if (!SORTABLE.has(target.kind)) {
    throw new MacroError(
      target,
      "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
    );
  }
  const input = "@__sortBy_input__";
  const keys = map({ ...call, target: make.name(input) });
  return make.comprehension({
    variable: UNUSED_VARIABLE,
    accumulator: input,
    range: make.list(),
    init: target,
    condition: make.literal(false),
    step: make.name(input),
    result: make.memberCall("@sortByAssociatedKeys", make.name(input), keys),
  });
}

function oneVariable({ args }: MacroCall, otherwise = "argument must be a simple name"): Variables {
  const [first, ...rest] = args;
  return { variable: variableOf(first, otherwise), rest };
}

function twoVariables({ args }: MacroCall): Variables {
  const [first, second, ...rest] = args;
  const message = "argument must be a simple name";
  if (first.kind !== "name") throw new MacroError(first, message);
  if (second?.kind !== "name") throw new MacroError(second ?? first, message);
  if (first.name === second.name) {
    throw new MacroError(second, `duplicate variable name: ${first.name}`);
  }
  return { variable: variableOf(first, message), variable2: variableOf(second, message), rest };
}

function variableOf(argument: Expression, otherwise: string): string {
  if (argument.kind !== "name") throw new MacroError(argument, otherwise);
  if (argument.name === ACCUMULATOR || argument.name === OLD_ACCUMULATOR) {
    throw new MacroError(argument, "iteration variable overwrites accumulator variable");
  }
  return argument.name;
}
