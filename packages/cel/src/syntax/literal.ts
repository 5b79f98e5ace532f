import { Uint } from "../values/uint-value.ts";
import type { Value } from "../values/value.ts";
import { unquoteBytes, unquoteString } from "./string-literal.ts";
import type { Token } from "./token.ts";

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

/** Why a literal stands for no value. */
export class LiteralRefusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Of a literal with the sign before it; undefined for other tokens. */
export function literalValue(token: Token, sign: "" | "-"): Value | LiteralRefusal | undefined {
  const { kind, text } = token;
  switch (kind) {
    case "NUM_INT": {
      const value = sign === "" ? BigInt(text) : -BigInt(text);
      return value < MIN_INT || value > MAX_INT ? new LiteralRefusal("invalid int literal") : value;
    }
    case "NUM_UINT": {
      const value = BigInt(text.slice(0, -1));
      return value > MAX_UINT ? new LiteralRefusal("invalid uint literal") : new Uint(value);
    }
    case "NUM_FLOAT": {
      const value = Number(sign + text);
      return Number.isFinite(value) ? value : new LiteralRefusal("invalid double literal");
    }
    case "STRING": {
      const unquoted = unquoteString(text);
      return unquoted.ok ? unquoted.value : new LiteralRefusal(unquoted.message);
    }
    case "BYTES": {
      const unquoted = unquoteBytes(text.slice(1));
      return unquoted.ok ? unquoted.value : new LiteralRefusal(unquoted.message);
    }
    case "true":
      return true;
    case "false":
      return false;
    case "null":
      return null;
    default:
      return undefined;
  }
}
