import type { ApiError } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { Query } from "../http/query.ts";
import { readLogOptions } from "./log-options.ts";

const read = (query: string): ReturnType<typeof readLogOptions> =>
  readLogOptions(Query.parse(query), "pod");

test("what a kubelet is asked for is what the options mean, in the order of names", () => {
  const query =
    "timestamps=true&tailLines=3&follow=1&previous=0&limitBytes=9&sinceSeconds=5&container=c&odd=1";
  expect(read(query)).toEqual({
    container: "c",
    follow: true,
    insecureSkipTLSVerifyBackend: false,
    parameters: "follow=true&limitBytes=9&sinceSeconds=5&tailLines=3&timestamps=true",
  });
  expect(read("sinceTime=&tailLines=0").parameters).toBe("tailLines=0");
});

test.each([
  [
    "tailLines=-1&limitBytes=0&sinceSeconds=0",
    'PodLogOptions "pod" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
  ],
  [
    "sinceSeconds=5&sinceTime=2024-01-01T00:00:00Z",
    'PodLogOptions "pod" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
  ],
  ["stream=Stdout", 'PodLogOptions "pod" is invalid: stream: Forbidden: may not be specified'],
  ["tailLines=abc", 'strconv.ParseInt: parsing "abc": invalid syntax'],
  [
    "sinceTime=zzz",
    'parsing time "zzz" as "2006-01-02T15:04:05Z07:00": cannot parse "zzz" as "2006"',
  ],
])("%s is refused in Kubernetes' words", (query, message) => {
  let refused: unknown;
  try {
    read(query);
  } catch (error) {
    refused = error;
  }
  expect((refused as ApiError).message).toBe(message);
});
