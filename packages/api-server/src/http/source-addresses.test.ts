import { expect, test } from "vitest";
import { sourceAddresses } from "./source-addresses.ts";

test.for([
  [[], "127.0.0.1", ["127.0.0.1"]],
  [[], "::ffff:10.0.0.1", ["10.0.0.1"]],
  [["X-Forwarded-For", "1.1.1.1, nobody, ::2"], "10.0.0.1", ["1.1.1.1", "::2", "10.0.0.1"]],
  [
    ["X-Real-Ip", "3.3.3.3", "X-Forwarded-For", "1.1.1.1"],
    "1.1.1.1",
    ["1.1.1.1", "3.3.3.3", "1.1.1.1"],
  ],
  [["X-Real-Ip", "1.1.1.1", "X-Forwarded-For", "1.1.1.1"], "1.1.1.1", ["1.1.1.1"]],
  [[], "", []],
] as const)("%j at %s comes from %j", ([rawHeaders, remoteAddress, expected]) => {
  expect(sourceAddresses({ rawHeaders, remoteAddress })).toEqual(expected);
});
