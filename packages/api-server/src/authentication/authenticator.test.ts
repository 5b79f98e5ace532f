import { ManualClock, seededRandom } from "@homeostat/concurrency";
import { ApiError } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { ResourceTable } from "../registry/resource-table.ts";
import type { AuthenticationOptions } from "./authentication-options.ts";
import { Authenticator, type Credentials } from "./authenticator.ts";

const ALICE = { username: "alice", uid: "1", groups: ["dev"] };
const staticTokens = new Map<string, UserInfo>([
  ["good", ALICE],
  ["anonymous", { username: "system:anonymous" }],
]);

function openAuthenticator(options: AuthenticationOptions = {}): {
  clock: ManualClock;
  who: (credentials: Credentials) => string | undefined;
  authenticator: Authenticator;
} {
  const clock = new ManualClock();
  const plane = {
    store: openMemoryStore({ clock }),
    clock,
    random: seededRandom(7),
    table: new ResourceTable(),
  };
  const authenticator = new Authenticator(plane, { staticTokens, ...options });
  const who = (credentials: Credentials): string | undefined => {
    try {
      return authenticator.authenticate(credentials).user.username;
    } catch (error) {
      if (error instanceof ApiError) return `${error.httpStatus} ${error.message}`;
      throw error;
    }
  };
  return { clock, who, authenticator };
}

test("a token of the file is its user, who is authenticated", () => {
  const { authenticator } = openAuthenticator();
  expect(authenticator.authenticate({ authorization: "Bearer good" })).toEqual({
    user: { ...ALICE, groups: ["dev", "system:authenticated"] },
  });
});

test("nothing is anonymous, and what is wrong is refused", () => {
  const { who } = openAuthenticator();
  expect(who({})).toBe("system:anonymous");
  expect(who({ authorization: "Basic abc" })).toBe("system:anonymous");
  expect(who({ authorization: "Bearer bad" })).toBe("401 Unauthorized");
  expect(who({ certificate: "untrusted" })).toBe("401 Unauthorized");
  expect(who({ certificate: "untrusted", authorization: "Bearer good" })).toBe("alice");
});

test("anonymous users may be unwelcome", () => {
  const { who } = openAuthenticator({ anonymous: false });
  expect(who({})).toBe("401 Unauthorized");
  expect(who({ authorization: "Bearer good" })).toBe("alice");
});

test("a certificate counts before a token, until it is over", () => {
  const { who, clock } = openAuthenticator();
  const certificate = { user: { username: "bob" }, notAfter: clock.now() };
  expect(who({ certificate, authorization: "Bearer bad" })).toBe("bob");
  clock.step(1);
  expect(who({ certificate })).toBe("401 Unauthorized");
  expect(who({ certificate, authorization: "Bearer good" })).toBe("alice");
});

test("browsers show their token among the protocols of a WebSocket", () => {
  const { who } = openAuthenticator();
  const protocols = (token: string): string =>
    `v5.channel.k8s.io,base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString("base64url")}`;
  expect(who({ webSocketProtocols: protocols("good") })).toBe("alice");
  expect(who({ webSocketProtocols: protocols("bad") })).toBe("401 Unauthorized");
});

test("a token behind a space too many is none, in requests and in reviews", () => {
  const { authenticator } = openAuthenticator();
  const { user, warnings } = authenticator.authenticate({ authorization: "Bearer  good" });
  expect(user.username).toBe("system:anonymous");
  expect(warnings).toHaveLength(1);
  expect(authenticator.review(" good", ["x"])).toMatchObject({
    user: { username: "system:anonymous" },
    audiences: ["x"],
  });
});

test("tokens of the file are for this server, whomever a review asks for", () => {
  const { authenticator } = openAuthenticator({ audiences: ["here", "there"] });
  expect(authenticator.review("good", ["there", "elsewhere"])).toMatchObject({
    user: { username: "alice" },
    audiences: ["there"],
  });
  expect(authenticator.review("good", ["elsewhere"])).toEqual({ error: "invalid bearer token" });
});

test("who is called anonymous does not become authenticated", () => {
  const { authenticator } = openAuthenticator();
  expect(authenticator.authenticate({ authorization: "Bearer anonymous" }).user).toEqual({
    username: "system:anonymous",
  });
});
