import { syncBuiltinESMExports } from "node:module";

/**
 * Bans for the length of a run, in a process of its own: a test runner needs its timers.
 *
 * Everything through which real time, chance or the event loop could leak into a run: the globals
 * that lint bans, and the same things as Node's modules export them.
 */
export const bannedGlobals: readonly { readonly name: string; readonly call: () => unknown }[] = [
  { name: "Date", call: () => at("Date.now") },
  { name: "new Date", call: () => Reflect.construct(at("Date"), []) as unknown },
  { name: "performance", call: () => at("performance.now") },
  { name: "Math.random", call: () => at("Math.random")() },
  { name: "crypto", call: () => at("crypto.randomUUID") },
  { name: "setTimeout", call: () => at("setTimeout")() },
  { name: "setInterval", call: () => at("setInterval")() },
  { name: "setImmediate", call: () => at("setImmediate")() },
  { name: "queueMicrotask", call: () => at("queueMicrotask")() },
  { name: "process.nextTick", call: () => at("process.nextTick")() },
  { name: "process.hrtime", call: () => at("process.hrtime.bigint") },
  { name: "AbortSignal.timeout", call: () => at("AbortSignal.timeout")() },
];

const bannedExports: Readonly<Record<string, readonly string[]>> = {
  "node:timers": ["setTimeout", "setInterval", "setImmediate"],
  "node:timers/promises": ["setTimeout", "setInterval", "setImmediate", "scheduler"],
  "node:perf_hooks": ["performance"],
  "node:crypto": ["randomUUID", "randomBytes", "randomInt", "randomFill", "randomFillSync"],
};

/** A banned thing was used: which one. */
export class BannedGlobalError extends Error {
  override readonly name = "BannedGlobalError";
  readonly code = "BANNED_GLOBAL";

  constructor(what: string) {
    super(`${what} was used: a run that replays from its seed takes time and chance from outside`);
  }
}

type Callable = (...values: unknown[]) => unknown;

function at(path: string): Callable {
  let value: unknown = globalThis;
  for (const name of path.split(".")) value = Reflect.get(value as object, name) as unknown;
  return value as Callable;
}

/** Throws whatever is done with it. */
function stub(what: string): unknown {
  const refuse = (): never => {
    throw new BannedGlobalError(what);
  };
  // Over something that can be constructed: else `new` would fail before it is refused.
  return new Proxy(Object, { apply: refuse, construct: refuse, get: refuse, set: refuse });
}

/**
 * Runs `work` while every banned global throws. Only what captured its primitive when it was
 * imported, as the manual clock did its hop through the event loop, can still use one.
 */
export async function withoutBannedGlobals<T>(work: () => Promise<T>): Promise<T> {
  const restores: (() => void)[] = [];
  const replace = (holder: object, name: string, what: string): void => {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (found === undefined) throw new Error(`${what} is not there to be banned`);
    Object.defineProperty(holder, name, { value: stub(what), configurable: true, writable: true });
    restores.push(() => Object.defineProperty(holder, name, found));
  };
  try {
    for (const name of ["Date", "performance", "crypto", "setTimeout", "setInterval"]) {
      replace(globalThis, name, name);
    }
    for (const name of ["setImmediate", "queueMicrotask"]) replace(globalThis, name, name);
    replace(Math, "random", "Math.random");
    replace(process, "nextTick", "process.nextTick");
    replace(process, "hrtime", "process.hrtime");
    replace(AbortSignal, "timeout", "AbortSignal.timeout");
    for (const [module, names] of Object.entries(bannedExports)) {
      const exports = process.getBuiltinModule(module) as object;
      for (const name of names) replace(exports, name, `${name} of ${module}`);
    }
    const webCrypto = Object.getPrototypeOf(
      process.getBuiltinModule("node:crypto").webcrypto,
    ) as object;
    for (const name of ["getRandomValues", "randomUUID"])
      replace(webCrypto, name, `crypto.${name}`);
    syncBuiltinESMExports();
    return await work();
  } finally {
    for (const restore of restores.reverse()) restore();
    syncBuiltinESMExports();
  }
}
