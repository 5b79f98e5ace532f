import { expect, test } from "vitest";
import { isGlobalAddress } from "./global-address.ts";

test.each(["10.0.0.1", "192.168.1.1", "8.8.8.8", "2001:db8::1", "fd00::1", "::ffff:10.0.0.1"])(
  "%s can be another machine's",
  (address) => expect(isGlobalAddress(address)).toBe(true),
);

test.each([
  "127.0.0.1",
  "127.9.9.9",
  "0.0.0.0",
  "169.254.169.254",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "fe80::1",
  "fe80::1%eth0",
  "ff02::1",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
])("%s cannot", (address) => expect(isGlobalAddress(address)).toBe(false));
