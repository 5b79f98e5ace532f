import { assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import {
  addWordsTo,
  firstServiceAddress,
  parseAuthorizationModes,
  parseBindAddress,
  parseBoolean,
  parseCount,
  parseIssuer,
  parsePort,
  parsePortRange,
  parseServiceRange,
  parseSize,
  parseTokenLife,
} from "./flag-values.ts";

test("ports are whole numbers from 0 to 65535", () => {
  expect(parsePort("0")).toBe(0);
  expect(parsePort("65535")).toBe(65_535);
  for (const text of ["65536", "-1", "6443.5", "0x10", "", "abc", "1e3", " 80"]) {
    expect(() => parsePort(text)).toThrow("Expected a whole number from 0");
  }
});

test("sizes are bytes or have a binary unit, and are not too small to run in", () => {
  expect(parseSize("512Mi")).toBe(512 * 1024 ** 2);
  expect(parseSize("2Gi")).toBe(2 * 1024 ** 3);
  expect(parseSize("268435456")).toBe(256 * 1024 ** 2);
  for (const text of ["", "64Mi", "1", "512M", "-1Gi", "1e9", "99999999999Gi", "half"]) {
    expect(() => parseSize(text)).toThrow("Expected a size of at least 128Mi");
  }
});

test("a bind address is an IP address", () => {
  expect(parseBindAddress("::1")).toBe("::1");
  expect(parseBindAddress("0.0.0.0")).toBe("0.0.0.0");
  expect(() => parseBindAddress("localhost")).toThrow("Expected an IP address");
});

test("a service range is the IPv4 network that kube-apiserver would take", () => {
  expect(parseServiceRange("10.96.0.0/12")).toBe("10.96.0.0/12");
  for (const text of [
    "10.0.0.0",
    "10.0.0.0/30",
    "10.0.0.0/8",
    "fd00::/108",
    "10.0.0/24",
    "10.0.0.0/24/1",
    "10.0.0.0/",
  ]) {
    expect(() => parseServiceRange(text)).toThrow("Expected an IPv4 network of /12 to /29");
  }
  expect(() => parseServiceRange("10.0.0.5/24")).toThrow(
    "Expected the first address of the network: 10.0.0.0/24.",
  );
  expect(() => parseServiceRange("255.255.255.255/12")).toThrow("255.240.0.0/12");
});

test("the first service address follows the network's", () => {
  expect(firstServiceAddress("10.0.0.0/24")).toBe("10.0.0.1");
  assert(
    property(integer({ min: 0, max: 255 }), integer({ min: 0, max: 31 }), (second, fifth) => {
      const range = `172.${second}.255.${fifth * 8}/29`;
      expect(firstServiceAddress(parseServiceRange(range))).toBe(
        `172.${second}.255.${fifth * 8 + 1}`,
      );
    }),
  );
});

test("booleans are what Go takes for them", () => {
  expect(["true", "1", "T"].map(parseBoolean)).toEqual([true, true, true]);
  expect(["false", "0", "F"].map(parseBoolean)).toEqual([false, false, false]);
  expect(() => parseBoolean("no")).toThrow("Expected true or false.");
});

test("counts are above 0", () => {
  expect(parseCount("12")).toBe(12);
  for (const text of ["0", "-1", "1.5", ""]) expect(() => parseCount(text)).toThrow("Expected");
});

test("lists come in one value or in several", () => {
  expect(addWordsTo("b,c", addWordsTo("a"))).toEqual(["a", "b", "c"]);
});

test("an issuer is a URL or a plain name, and given once", () => {
  expect(parseIssuer("me", parseIssuer("https://a"))).toEqual(["https://a", "me"]);
  expect(() => parseIssuer("https://")).toThrow("Expected a URL");
  expect(() => parseIssuer("me", ["me"])).toThrow("Expected every issuer once.");
});

test("the life of tokens is a time from an hour on", () => {
  expect(parseTokenLife("24h")).toBe(86_400);
  expect(parseTokenLife("1h30m5s")).toBe(5405);
  for (const text of ["59m", "1193047h", "1d", "3600", ""]) {
    expect(() => parseTokenLife(text)).toThrow("Expected a time from 1h");
  }
});

test("what one of the modes of authorization allows is allowed", () => {
  expect(parseAuthorizationModes("RBAC")).toBe("RBAC");
  expect(parseAuthorizationModes("Node,RBAC")).toBe("RBAC");
  expect(parseAuthorizationModes("RBAC,AlwaysAllow")).toBe("AlwaysAllow");
  for (const text of ["", "Node", "Webhook,RBAC"]) {
    expect(() => parseAuthorizationModes(text)).toThrow("Expected RBAC");
  }
});

test("ports are a first and a last, or a first and how many more", () => {
  expect(parsePortRange("30000-32767")).toEqual([30_000, 32_767]);
  expect(parsePortRange("30000+10")).toEqual([30_000, 30_010]);
  expect(parsePortRange("80-80")).toEqual([80, 80]);
  for (const text of ["", "30000", "2-1", "0-10", "1-65536", "65535+1", "a-b", "1-2-3"]) {
    expect(() => parsePortRange(text)).toThrow("such as 30000-32767");
  }
});
