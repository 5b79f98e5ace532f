import * as fc from "fast-check";
import { expect, test } from "vitest";
import { escapePath, rewriteLocation, splitProxyPath } from "./proxy-path.ts";

const POD = "/api/v1/namespaces/a/pods/b:80/proxy";

test.each([
  [POD, POD, ""],
  [`${POD}/`, POD, "/"],
  [`${POD}/x/`, POD, "/x/"],
  [`${POD}//x//y`, POD, "/x/y"],
  [`${POD}/x/../../../../z`, POD, "/z"],
  [`${POD}/%2e%2e/z`, POD, "/z"],
  [`${POD}/a%2Fb%20c`, POD, "/a/b c"],
  ["/api/v1/nodes/proxy/proxy/proxy", "/api/v1/nodes/proxy/proxy", "/proxy"],
  [
    "/api/v1/namespaces/proxy/services/proxy/proxy/proxy",
    "/api/v1/namespaces/proxy/services/proxy/proxy",
    "/proxy",
  ],
])("%s is asked for behind %s as %s", (given, prefix, path) => {
  expect(splitProxyPath(given)).toEqual({ prefix, path });
});

test("what is asked for never steps out of its root, and is one line of plain characters", () => {
  const segment = fc.oneof(fc.constantFrom("..", ".", "", "%2e%2e", "a"), fc.string());
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const escaped = segments.map((each) => (/%2e/.test(each) ? each : encodeURIComponent(each)));
      const { prefix, path } = splitProxyPath(`${POD}/${escaped.join("/")}`);
      expect(prefix).toBe(POD);
      expect(path.startsWith("/")).toBe(true);
      expect(path.split("/")).not.toContain("..");
      expect(escapePath(path)).toMatch(/^[\w\-.~$&+,/:;=@%]*$/);
      expect(decodeURIComponent(escapePath(path))).toBe(path);
    }),
  );
});

const behind = { prefix: POD, hosts: ["10.0.0.1:80", "plane"] };

test.each([
  ["/x?y#z", `${POD}/x?y#z`],
  ["http://10.0.0.1:80/x", `${POD}/x`],
  ["https://plane/x/", `${POD}/x/`],
  ["//10.0.0.1:80/x", `${POD}/x`],
  ["x", "x"],
  ["?x", "?x"],
  ["http://other/x", "http://other/x"],
  ["mailto:x", "mailto:x"],
  [`${POD}/x`, `${POD}/x`],
])("a redirect to %s is told as one to %s", (given, told) => {
  expect(rewriteLocation(given, behind)).toBe(told);
});
