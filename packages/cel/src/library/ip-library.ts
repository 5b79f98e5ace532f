import { BOOL, INT, opaque, STRING, type Type, typeOf } from "../expression-types/type.ts";
import { type IpAddress, NetworkParseError } from "../network/ip-address.ts";
import { parseIpAddress } from "../network/parse-ip-address.ts";
import { goQuote } from "../text/go-quote.ts";
import { withoutStacks } from "../text/without-stacks.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { TypeValue } from "../values/type-value.ts";
import type { OpaqueValue, Value } from "../values/value.ts";
import { textAt } from "./call-arguments.ts";
import { READS_TEXT, readsText } from "./call-costs.ts";
import type { FunctionDeclaration, Library } from "./library.ts";

export const IP_TYPE: Type = opaque("net.IP");

export class IpValue implements OpaqueValue {
  readonly celType: Type = IP_TYPE;
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    this.address = address;
  }

  /** In bytes; what costs are reckoned with. */
  get size(): number {
    return this.address.bitLength / 8;
  }

  equals(other: Value): boolean | Failure {
    if (!(other instanceof IpValue)) return NO_SUCH_OVERLOAD;
    return this.address.equals(other.address);
  }

  toString(): string {
    return this.address.toString();
  }
}

/** `ip('127.0.0.1').isLoopback()`. */
export const IP_LIBRARY: Library = {
  name: "kubernetes.net.ip",
  constants: [{ name: "net.IP", type: typeOf(IP_TYPE), value: new TypeValue(IP_TYPE) }],
  functions: [
    {
      name: "ip",
      overloads: [
        {
          id: "string_to_ip",
          member: false,
          params: [STRING],
          result: IP_TYPE,
          call: (args) => toIp(textAt(args, 0)),
          ...READS_TEXT,
        },
      ],
    },
    {
      name: "isIP",
      overloads: [
        {
          id: "is_ip",
          member: false,
          params: [STRING],
          result: BOOL,
          call: (args) => toIp(textAt(args, 0)) instanceof IpValue,
          ...READS_TEXT,
        },
      ],
    },
    {
      name: "ip.isCanonical",
      overloads: [
        {
          id: "ip_is_canonical",
          member: false,
          params: [STRING],
          result: BOOL,
          call: (args) => {
            const address = toIp(textAt(args, 0));
            return address instanceof Failure ? address : address.toString() === args[0];
          },
          ...readsText({ times: 2 }),
        },
      ],
    },
    {
      name: "string",
      overloads: [
        {
          id: "ip_to_string",
          member: false,
          params: [IP_TYPE],
          result: STRING,
          call: ([value]) => (value as IpValue).toString(),
        },
      ],
    },
    {
      name: "family",
      overloads: [
        {
          id: "ip_family",
          member: true,
          params: [IP_TYPE],
          result: INT,
          call: ([value]) => BigInt((value as IpValue).address.family),
        },
      ],
    },
    question("isUnspecified", "ip_is_unspecified"),
    question("isLoopback", "ip_is_loopback"),
    question("isLinkLocalMulticast", "ip_is_link_local_multicast"),
    question("isLinkLocalUnicast", "ip_is_link_local_unicast"),
    question("isGlobalUnicast", "ip_is_global_unicast"),
  ],
};

type Question =
  | "isGlobalUnicast"
  | "isLinkLocalMulticast"
  | "isLinkLocalUnicast"
  | "isLoopback"
  | "isUnspecified";

function question(name: Question, id: string): FunctionDeclaration {
  const call = ([value]: readonly Value[]): boolean => (value as IpValue).address[name]();
  return { name, overloads: [{ id, member: true, params: [IP_TYPE], result: BOOL, call }] };
}

/** Zones and IPv4 written as IPv6 are refused. */
export function toIp(text: string): IpValue | Failure {
  let address: IpAddress;
  try {
    address = withoutStacks(() => parseIpAddress(text));
  } catch (error) {
    if (!(error instanceof NetworkParseError)) throw error;
    const shown = `IP Address ${goQuote(text)} parse error during conversion from string`;
    return new Failure(`${shown}: ${error.message}`);
  }
  if (address.zone !== "") {
    return new Failure(`IP address ${goQuote(text)} with zone value is not allowed`);
  }
  if (address.isMapped) {
    return new Failure(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  }
  return new IpValue(address);
}
