import type { Job } from "@homeostat/object-model/batch-v1";
import { expect, test } from "vitest";
import type { WriteContext } from "../registry/strategy.ts";
import { jobs } from "./jobs.ts";

const context = { operation: "create" } as WriteContext;

function newJob(name: string, labels?: Record<string, string>): Job {
  const template = { metadata: { ...(labels && { labels }) }, spec: { containers: [] } };
  const job: Job = { metadata: { name, uid: "u" }, spec: { template } };
  jobs.prepareForCreate!(job, context);
  return job;
}

test("a job is not checked for labels that it takes from its template later", () => {
  expect(newJob("a").metadata.labels).toBeUndefined();
});
