/** Addresses and prefixes as Go's net package reads them. */

/** Octets may have leading zeros. An IPv6 address with an IPv4 end counts too: it holds a dot. */
export function isIpv4(text: string): boolean {
  return text.includes(".") && (isFourOctets(text, true) || isIpv6Text(text, true));
}

export function isIpv6(text: string): boolean {
  return text.includes(":") && isIpv6Text(text, false);
}

export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  if (!/^[0-9]{1,7}$/.test(length)) return false;
  if (isFourOctets(address, true)) return Number(length) <= 32;
  return isIpv6Text(address, true) && Number(length) <= 128;
}

function isFourOctets(text: string, leadingZeros: boolean): boolean {
  const octets = text.split(".");
  if (octets.length !== 4) return false;
  return octets.every((octet) => {
    if (!/^[0-9]+$/.test(octet) || (!leadingZeros && octet.length > 1 && octet[0] === "0")) {
      return false;
    }
    return octet.length < 64 && Number(octet) <= 255;
  });
}

function isIpv6Text(text: string, leadingZeros: boolean): boolean {
  const gap = text.indexOf("::");
  if (gap < 0) return groupsIn(text, leadingZeros) === 8;
  if (text.includes("::", gap + 1)) return false;
  const before = text.slice(0, gap);
  const after = text.slice(gap + 2);
  // The last four octets may only stand at the very end.
  if (before.includes(".")) return false;
  const left = before === "" ? 0 : groupsIn(before, leadingZeros);
  const right = after === "" ? 0 : groupsIn(after, leadingZeros);
  return left >= 0 && right >= 0 && left + right < 8;
}

/** How many groups of 16 bits the text has; negative where it is malformed. */
function groupsIn(text: string, leadingZeros: boolean): number {
  const groups = text.split(":");
  const last = groups.length - 1;
  let count = 0;
  for (const [at, group] of groups.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) count += 1;
    else if (at === last && isFourOctets(group, leadingZeros)) count += 2;
    else return Number.NEGATIVE_INFINITY;
  }
  return count;
}
