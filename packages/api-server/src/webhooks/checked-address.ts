import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Made with the first question: no start should wait for it. */
let refused: BlockList | undefined;

/** Addresses that no webhook has: link-local (metadata services), unspecified, multicast. */
function refusedAddresses(): BlockList {
  const list = new BlockList();
  list.addSubnet("0.0.0.0", 8, "ipv4");
  list.addSubnet("169.254.0.0", 16, "ipv4");
  list.addSubnet("224.0.0.0", 4, "ipv4");
  list.addAddress("255.255.255.255", "ipv4");
  list.addAddress("::", "ipv6");
  list.addSubnet("fe80::", 10, "ipv6");
  list.addSubnet("ff00::", 8, "ipv6");
  return list;
}

class RefusedAddressError extends Error {
  override readonly name: string = "RefusedAddressError";
  readonly code = "refused-address";

  constructor(address: string) {
    super(`${address} is not an address of a webhook: it is link-local, unspecified or multicast`);
  }
}

/** Refuses what cannot be a webhook's address; names are checked when they are looked up. */
export function checkAddress(host: string): void {
  if (isRefused(host)) throw new RefusedAddressError(host);
}

function isRefused(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  refused ??= refusedAddresses();
  return refused.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Looks a name up for a connection: the connection goes to the very address that was checked. */
export const checkedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    const bad = addresses.find(({ address }) => isRefused(address));
    if (bad !== undefined) return callback(new RefusedAddressError(bad.address), []);
    if (options.all === true) return callback(null, addresses);
    const [first] = addresses;
    callback(null, first!.address, first!.family);
  });
};
