import { expect, test } from "vitest";
import { openDoorTarget } from "../embedded-target.ts";
import { runScenario } from "../run-scenario.ts";
import { post } from "../scenario.ts";
import {
  changeOfSchema,
  install,
  schemaChangeCount,
  sharedDefinitions,
  sharedGroup,
} from "./definitions.ts";
import { sharedKinds } from "./random-kind.ts";
import { widgets } from "./widgets.ts";

test("every definition is accepted, and its sample is right in each version", async () => {
  await using target = await openDoorTarget();
  const samples = sharedKinds.flatMap(({ versions, kind, sample }) =>
    versions.map(({ place, apiVersion }, i) =>
      post(place, { apiVersion, kind, ...sample, metadata: { name: `a${i}` } }),
    ),
  );
  const steps = [...sharedDefinitions.flatMap((each) => install(each, sharedGroup)), ...samples];
  const { steps: answers } = await runScenario({ name: "s", steps }, { target, namespace: "n" });
  const made = answers.flatMap((each) => (each.kind === "answer" ? [each] : []));
  const created = made.filter(({ asked }) => asked.startsWith("POST"));
  expect(created.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 201));
});

test("every change of a schema is accepted", async () => {
  await using target = await openDoorTarget();
  const changes = Array.from({ length: schemaChangeCount }, (_, i) => changeOfSchema(widgets, i));
  const steps = [...install(widgets, "${ns}.example.com"), ...changes.flat()];
  const { steps: answers } = await runScenario({ name: "s", steps }, { target, namespace: "n" });
  const statuses = answers.flatMap((each) =>
    each.kind === "answer" && each.asked.startsWith("PATCH") ? [each.status] : [],
  );
  expect(statuses).toEqual(Array.from({ length: schemaChangeCount }, () => 200));
});
