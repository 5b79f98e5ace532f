import { expect, test } from "vitest";
import { drive, missingDriver } from "../harness/http-driver.ts";
import { ask } from "./ask-server.ts";
import { LimitedUser } from "./limited-user.ts";
import { apiServer } from "./server-under-test.ts";

test.skipIf(missingDriver().length > 0)(
  "the limited user gets in by its role, and no further",
  async () => {
    await using user = await LimitedUser.create();
    const asUser = await user.at(await apiServer(user.authorityFile));
    for (const mode of ["create", "connect"] as const) {
      const result = await drive(mode, asUser, { objects: 8, requests: 8, inFlight: 4 });
      expect(result).toMatchObject({ requests: 8, errors: 0, oracle: "ok" });
    }
    const path = "/api/v1/namespaces/bench/secrets";
    const { status, text } = await ask(asUser, { method: "GET", path });
    expect(status).toBe(403);
    expect(text).toContain('User \\"bench\\" cannot list resource \\"secrets\\"');
  },
);
