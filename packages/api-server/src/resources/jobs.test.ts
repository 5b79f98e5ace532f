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

test("a name too long for a label is refused as a label of the pods, which are named by it", () => {
  const name = "a".repeat(64);
  const errors = jobs.validate!(newJob(name), context).map(String);
  const error = `spec.template.labels: Invalid value: "${name}": must be no more than 63 bytes`;
  expect(errors).toEqual([error, error]);
});

test("a job is not checked for labels that it takes from its template later", () => {
  expect(newJob("a").metadata.labels).toBeUndefined();
});

test("an update says what is wrong with the template before and after what is wrong with the change", () => {
  const job = newJob("a", { "b c": "d" });
  const say = (errors: readonly { field: string }[]) => errors.map(({ field }) => field);
  expect(say(jobs.revalidate!(job, context))).toEqual(["spec.template.labels"]);
  expect(say(jobs.validateUpdate!(job, job, context))).toEqual(["spec.template.labels"]);
});
