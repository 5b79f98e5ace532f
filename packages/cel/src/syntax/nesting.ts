import type { Expression } from "./expression.ts";

export class DepthError extends Error {
  override readonly name = "DepthError";
  readonly code = "too-deep";
}

/** How deep selections, calls and operators nest in each node that was made. */
export class Nesting {
  readonly #limit: number;
  /** By the nodes' ids; none for those without parts. */
  readonly #heights = new Map<number, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Answers `outer`, which nests its parts one level deeper. Throws a DepthError above the limit. */
  deeper(outer: Expression, ...parts: readonly Expression[]): Expression {
    const height = this.#highest(parts) + 1;
    if (height > this.#limit) throw new DepthError("max recursion depth exceeded");
    this.#heights.set(outer.id, height);
    return outer;
  }

  /** Answers `outer`, which is as deep as the deepest of its parts. */
  asDeep(outer: Expression, ...parts: readonly Expression[]): Expression {
    this.#heights.set(outer.id, this.#highest(parts));
    return outer;
  }

  #highest(parts: readonly Expression[]): number {
    let highest = 0;
    for (const { id } of parts) highest = Math.max(highest, this.#heights.get(id) ?? 0);
    return highest;
  }
}
