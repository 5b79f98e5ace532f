import { BOOL, INT, opaque, STRING, type Type, typeOf } from "../expression-types/type.ts";
import { NetworkParseError } from "../network/ip-address.ts";
import { type IpPrefix, parseIpPrefix } from "../network/ip-prefix.ts";
import { goQuote } from "../text/go-quote.ts";
import { withoutStacks } from "../text/without-stacks.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { TypeValue } from "../values/type-value.ts";
import type { OpaqueValue, Value } from "../values/value.ts";
import { textAt } from "./call-arguments.ts";
import { type CallCosts, READS_TEXT } from "./call-costs.ts";
import {
  actualSize,
  addRanges,
  ONE,
  STRING_TRAVERSAL_FACTOR,
  scaleCost,
  scaleRange,
  sizeOfArgument,
} from "./cost-range.ts";
import { IP_TYPE, IpValue, toIp } from "./ip-library.ts";
import type { CostRange, Library, Overload } from "./library.ts";

const CIDR_TYPE: Type = opaque("net.CIDR");

class CidrValue implements OpaqueValue {
  readonly celType: Type = CIDR_TYPE;
  readonly prefix: IpPrefix;

  constructor(prefix: IpPrefix) {
    this.prefix = prefix;
  }

  /** Of the prefix, in bytes; what costs are reckoned with. */
  get size(): number {
    return Math.ceil(this.prefix.length / 8);
  }

  equals(other: Value): boolean | Failure {
    if (!(other instanceof CidrValue)) return NO_SUCH_OVERLOAD;
    return this.prefix.equals(other.prefix);
  }

  toString(): string {
    return this.prefix.toString();
  }
}

/** `cidr('192.168.0.0/16').containsIP('192.168.1.1')`. */
export const CIDR_LIBRARY: Library = {
  name: "kubernetes.net.cidr",
  constants: [{ name: "net.CIDR", type: typeOf(CIDR_TYPE), value: new TypeValue(CIDR_TYPE) }],
  functions: [
    {
      name: "cidr",
      overloads: [
        {
          id: "string_to_cidr",
          member: false,
          params: [STRING],
          result: CIDR_TYPE,
          call: (args) => toCidr(textAt(args, 0)),
          ...READS_TEXT,
        },
      ],
    },
    {
      name: "isCIDR",
      overloads: [
        {
          id: "is_cidr",
          member: false,
          params: [STRING],
          result: BOOL,
          call: (args) => toCidr(textAt(args, 0)) instanceof CidrValue,
          ...READS_TEXT,
        },
      ],
    },
    {
      name: "containsIP",
      overloads: [
        {
          id: "cidr_contains_ip_string",
          member: true,
          params: [CIDR_TYPE, STRING],
          result: BOOL,
          call: ([cidr, text]) => containsIp(cidr, toIp(text as string)),
          ...comparesPrefix({ deeply: false, readsText: true }),
        },
        {
          id: "cidr_contains_ip_ip",
          member: true,
          params: [CIDR_TYPE, IP_TYPE],
          result: BOOL,
          call: ([cidr, ip]) => containsIp(cidr, ip),
          ...comparesPrefix({ deeply: false, readsText: false }),
        },
      ],
    },
    {
      name: "containsCIDR",
      overloads: [
        {
          id: "cidr_contains_cidr_string",
          member: true,
          params: [CIDR_TYPE, STRING],
          result: BOOL,
          call: ([cidr, text]) => containsCidr(cidr, toCidr(text as string)),
          ...comparesPrefix({ deeply: true, readsText: true }),
        },
        {
          id: "cidr_contains_cidr",
          member: true,
          params: [CIDR_TYPE, CIDR_TYPE],
          result: BOOL,
          call: ([cidr, other]) => containsCidr(cidr, other),
          ...comparesPrefix({ deeply: true, readsText: false }),
        },
      ],
    },
    {
      name: "ip",
      overloads: [
        accessor("cidr_ip", { result: IP_TYPE, read: (prefix) => new IpValue(prefix.address) }),
      ],
    },
    {
      name: "prefixLength",
      overloads: [
        accessor("cidr_prefix_length", { result: INT, read: (prefix) => BigInt(prefix.length) }),
      ],
    },
    {
      name: "masked",
      overloads: [
        accessor("cidr_masked", {
          result: CIDR_TYPE,
          read: (prefix) => new CidrValue(prefix.masked()),
        }),
      ],
    },
    {
      name: "string",
      overloads: [
        {
          id: "cidr_to_string",
          member: false,
          params: [CIDR_TYPE],
          result: STRING,
          call: ([value]) => (value as CidrValue).toString(),
        },
      ],
    },
  ],
};

function accessor(
  id: string,
  { result, read }: { result: Type; read: (prefix: IpPrefix) => Value },
): Overload {
  const call = ([value]: readonly Value[]): Value => read((value as CidrValue).prefix);
  return { id, member: true, params: [CIDR_TYPE], result, call };
}

/** Bits behind the prefix are kept; IPv4 written as IPv6 is refused. */
function toCidr(text: string): CidrValue | Failure {
  const problem = (what: string): Failure =>
    new Failure(`network address parse error during conversion from string: ${what}`);
  try {
    const prefix = withoutStacks(() => parseIpPrefix(text));
    if (!prefix.address.isMapped) return new CidrValue(prefix);
    return problem(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  } catch (error) {
    if (!(error instanceof NetworkParseError)) throw error;
    // kube-apiserver says it twice.
    return problem(problem(error.message).message);
  }
}

/** kube-apiserver loses the reason why a text is no address. */
function containsIp(cidr: Value | undefined, ip: Value | undefined): Value {
  if (!(ip instanceof IpValue)) return NO_SUCH_OVERLOAD;
  return (cidr as CidrValue).prefix.contains(ip.address);
}

function containsCidr(cidr: Value | undefined, other: Value | undefined): Value {
  if (!(other instanceof CidrValue)) return other ?? NO_SUCH_OVERLOAD;
  const { prefix } = cidr as CidrValue;
  return prefix.overlaps(other.prefix) && prefix.length <= other.prefix.length;
}

/** An address has 4 or 16 bytes. */
const ADDRESS_BYTES: CostRange = { min: 4, max: 16 };

/** `deeply`: the prefix is masked and compared once more. */
function comparesPrefix(work: { deeply: boolean; readsText: boolean }): CallCosts {
  return {
    estimate: (args) => {
      const once = scaleRange(ADDRESS_BYTES, STRING_TRAVERSAL_FACTOR);
      const twice = addRanges(ADDRESS_BYTES, ADDRESS_BYTES);
      let cost = scaleRange(twice, STRING_TRAVERSAL_FACTOR);
      if (work.deeply) cost = addRanges(addRanges(cost, once), ONE);
      if (work.readsText) {
        cost = addRanges(cost, scaleRange(sizeOfArgument(args, 1), STRING_TRAVERSAL_FACTOR));
      }
      return { cost };
    },
    cost: ([cidr = null, other = null]) => {
      const size = actualSize(cidr);
      let cost = scaleCost(size + size, STRING_TRAVERSAL_FACTOR);
      if (work.deeply) cost += scaleCost(size, STRING_TRAVERSAL_FACTOR) + 1;
      if (work.readsText) cost += scaleCost(actualSize(other), STRING_TRAVERSAL_FACTOR);
      return cost;
    },
  };
}
