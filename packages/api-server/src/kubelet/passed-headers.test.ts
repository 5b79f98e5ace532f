import * as fc from "fast-check";
import { expect, test } from "vitest";
import { headersToCaller, headersToNode, upgradeHeadersToNode } from "./passed-headers.ts";

test("a caller's credentials and its connection stay behind, whatever else it sends", () => {
  const secret = fc.constantFrom(
    "authorization",
    "proxy-authorization",
    "impersonate-user",
    "impersonate-extra-scopes",
    "x-remote-user",
    "connection",
    "transfer-encoding",
    "content-length",
    "te",
    "upgrade",
    ":path",
    "named",
  );
  const name = fc.oneof(secret, fc.constantFrom("accept", "cookie", "x-own", "constructor"));
  fc.assert(
    fc.property(fc.dictionary(name, fc.string()), (headers) => {
      const passed = headersToNode({ ...headers, connection: "close, Named" });
      const kept = Object.keys(headers).filter((each) =>
        /^(?:accept|cookie|x-own|constructor)$/.test(each),
      );
      expect(Object.keys(passed).sort()).toEqual(kept.sort());
      for (const each of kept) expect(passed[each]).toBe(headers[each]);
    }),
  );
});

test("a token among WebSocket protocols is taken out", () => {
  const token = "base64url.bearer.authorization.k8s.io.c2VjcmV0";
  const passed = (value: string): unknown =>
    upgradeHeadersToNode({ "sec-websocket-protocol": value, upgrade: "websocket" });
  expect(passed(`${token}, v5.channel.k8s.io`)).toEqual({
    "sec-websocket-protocol": "v5.channel.k8s.io",
    connection: "Upgrade",
    upgrade: "websocket",
  });
  expect(passed(token)).toEqual({ connection: "Upgrade", upgrade: "websocket" });
});

test("a workload does not speak for this server to browsers", () => {
  expect(
    headersToCaller({
      "access-control-allow-origin": "*",
      "access-control-allow-credentials": "true",
      connection: "keep-alive, x-mine",
      "x-mine": "1",
      "set-cookie": ["a=1", "b=2"],
    }),
  ).toEqual({ "set-cookie": ["a=1", "b=2"] });
});
