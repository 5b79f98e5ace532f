import { seededRandom } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { openInProcessPlane } from "./in-process-plane.ts";
import { Requests, refusalIn } from "./requests.ts";
import { semanticsSuite } from "./suite.ts";

semanticsSuite(() => openInProcessPlane());

test("24: a generated name that is taken is tried again eight times, then refused", async () => {
  const random = seededRandom(3);
  let stuck = 0;
  const draws: number[] = [];
  await using plane = await openInProcessPlane({
    ...random,
    uuid: () => random.uuid(),
    float: () => random.float(),
    below: (limit) => {
      draws.push(limit);
      if (draws.length > stuck) return random.below(limit);
      return 0;
    },
  });
  const requests = new Requests(plane);
  const body = { metadata: { generateName: "n-" } };
  stuck = Number.POSITIVE_INFINITY;
  const first = await requests.create("configmaps", body);
  expect(first.metadata.name).toBe("n-bbbbb");
  draws.length = 0;
  expect(refusalIn(await requests.call("POST", "configmaps", { body }))).toEqual({
    code: 409,
    reason: "AlreadyExists",
    message:
      'configmaps "n-bbbbb" already exists, the server was not able to generate a unique name for the object',
    details: { name: "n-bbbbb", kind: "configmaps", retryAfterSeconds: 1 },
  });
  expect(draws.length).toBe(8 * 5);
  // Seven names are taken, the eighth is not.
  draws.length = 0;
  stuck = 7 * 5;
  const last = await requests.create("configmaps", body);
  expect(last.metadata.name).toMatch(/^n-[a-z0-9]{5}$/);
  expect(draws.length).toBe(8 * 5);
});
