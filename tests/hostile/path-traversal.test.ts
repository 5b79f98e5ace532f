/** Names and types that try to leave their place: decoded once, judged before any key is made. */
import { expect, test } from "vitest";
import { RawConnection } from "./raw-connection.ts";
import { attackedServer, tokenHeader } from "./server-under-attack.ts";

const server = attackedServer();
const MAPS = "/api/v1/namespaces/default/configmaps";

/** From the maps of `default` to the bystander's secret, in every spelling; as kube-apiserver answers. */
const CLIMBS: readonly (readonly [path: string, status: number])[] = [
  ["../../bystander/secrets/canary", 404],
  ["..%2f..%2fbystander%2fsecrets%2fcanary", 404],
  ["%2e%2e/%2e%2e/bystander/secrets/canary", 404],
  ["%2e%2e%2f%2e%2e%2fbystander%2fsecrets%2fcanary", 404],
  ["%252e%252e%252f%252e%252e%252fbystander%252fsecrets%252fcanary", 400],
  ["..%5c..%5cbystander%5csecrets%5ccanary", 404],
  ["a/../../../bystander/secrets/canary", 404],
  ["./../../bystander/secrets/canary", 404],
  ["a%00/../../bystander/secrets/canary", 404],
  ["a%00", 404],
  ["a%0d%0aX-Injected:%201", 404],
  ["%", 400],
  ["%zz", 400],
  ["%2", 400],
  ["...", 404],
  ["a%2fb", 404],
  ["..", 400],
  [".", 400],
  ["%2e", 400],
  ["%2e%2e", 400],
];

test.each(CLIMBS)("configmaps/%s is not a way to anything else", async (climb, status) => {
  await server().during(async () => {
    const path = `${MAPS}/${climb}`;
    for (const method of ["GET", "DELETE"]) await server().expect(status, { method, path });
    const body = { metadata: { name: "canary" }, data: { a: "b" } };
    expect((await server().send({ method: "PUT", path, body })).status).toBeLessThan(500);
    const refused = await server().send({ path, as: "mallory" });
    expect([400, 403, 404]).toContain(refused.status);
    expect(refused.headers).not.toHaveProperty("x-injected");
  });
});

test.each([
  "/api/v1/namespaces/../secrets",
  "/api/v1/namespaces/%2e%2e/secrets",
  "/api/v1/namespaces/default%2f..%2fbystander/secrets",
  "/api/v1/namespaces/default/../bystander/secrets/canary",
  "/api/v1/namespaces//secrets/canary",
  "//api/v1/namespaces/bystander/secrets/canary",
  "/api//v1/namespaces/bystander/secrets/canary",
  "/healthz/../api/v1/namespaces/bystander/secrets/canary",
  "/apis/../api/v1/namespaces/bystander/secrets/canary",
  "/api/v1/namespaces/bystander/secrets/canary/../../pods/a",
  "/api/v1/namespaces/bystander/secrets;x=1/canary",
  "/api/v1/namespaces/bystander/secrets/canary;.json",
  "/openid/v1/../../api/v1/secrets",
  "/openapi/v3/..%2f..%2f..%2fetc%2fpasswd",
])("%s gives nobody a secret, whatever it may mean", async (path) => {
  await server().during(async () => {
    for (const as of ["mallory", "nobody"] as const) {
      const { status, text } = await server().send({ path, as });
      expect([301, 400, 403, 404, 500]).toContain(status);
      expect(text).not.toContain('"data"');
    }
    // Not even root gets to it that way: a path that has to be cleaned is another path.
    expect((await server().send({ path })).text).not.toContain('"password"');
  });
});

test.each(["..", ".", "a/b", "a%2fb", "%2e%2e", "a\u0000", "A", "-a", "x".repeat(254), "日本"])(
  "nothing can be made under the name %j",
  async (name) => {
    await server().during(async () => {
      for (const metadata of [{ name }, { name: "", generateName: `${name}/` }]) {
        const { status, message } = await server().send({
          method: "POST",
          path: MAPS,
          body: { metadata },
        });
        expect([status, message]).toEqual([422, expect.stringContaining("metadata.")]);
      }
      const namespace = {
        method: "POST",
        path: "/api/v1/namespaces",
        body: { metadata: { name } },
      };
      await server().expect(422, namespace);
    });
  },
);

test("a name of 40,000 characters is only one that does not exist", async () => {
  await server().during(async () => {
    await server().expect(404, { path: `${MAPS}/${"x".repeat(40_000)}` });
  });
  expect(server().isAlive).toBe(true);
});

test("overlong and broken UTF-8 in a path is refused or found nowhere", async () => {
  await server().during(async () => {
    for (const name of [
      "..%c0%af..%c0%af",
      "%c0%ae%c0%ae",
      "%ff%fe",
      "%ed%a0%80",
      "%f8%88%80%80",
    ]) {
      expect([400, 404]).toContain((await server().send({ path: `${MAPS}/${name}` })).status);
    }
  });
});

test.each(["\u0000", "\r\nX-Injected: 1", "\t", " ", "\x7f", "é"])(
  "a raw %j in the request line breaks no further than its own request",
  async (byte) => {
    await server().during(async () => {
      using connection = await RawConnection.open(server().identity, "http/1.1");
      const { authorization } = tokenHeader("mallory");
      connection.write(
        Buffer.from(
          `GET ${MAPS}/a${byte}b HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
          "latin1",
        ),
      );
      await connection.until(/^HTTP/);
      expect([400, 403, 404]).toContain(connection.statuses()[0]);
      expect(connection.received).not.toMatch(/^x-injected/im);
    });
  },
);
