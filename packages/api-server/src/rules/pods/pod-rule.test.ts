/**
 * What kube-apiserver 1.36.3 found wrong with pods, and with patches of pods it held, also through
 * status, resize and ephemeralcontainers (`fixtures/answers.json`; admission plugins off), replayed
 * on a server. Answers whose causes come in an order of chance are not among them.
 */

import { readFileSync } from "node:fs";
import type { DoorRequest, JsonObject, JsonValue, Status } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { DEFAULT_ADMISSION_PLUGINS } from "../../admission/plugins.ts";
import { type ApiServer, createApiServer } from "../../api-server.ts";

interface RecordedPatch {
  readonly subresource?: string;
  /** A list is a JSON patch, anything else a merge patch. */
  readonly patch: JsonObject | JsonValue[];
  /** `field: message` of each cause; none for what is accepted. */
  readonly refused: readonly string[];
  /** Not a dry run. */
  readonly keep?: boolean;
}

interface Recorded {
  readonly pod: JsonObject & { readonly metadata: { readonly name: string } };
  readonly refused: readonly string[];
  /** Reported one after the other before the patches. */
  readonly status?: readonly JsonObject[];
  readonly patches?: readonly RecordedPatch[];
}

const PODS = "/api/v1/namespaces/default/pods";
const file = new URL("fixtures/answers.json", import.meta.url);
const recorded = JSON.parse(readFileSync(file, "utf8")) as readonly Recorded[];

async function causesOf(server: ApiServer, request: Partial<DoorRequest>): Promise<string[]> {
  const answer = await server.door.send({
    method: "POST",
    path: PODS,
    user: { username: "admin", groups: ["system:masters"] },
    want: "object",
    ...request,
  });
  if (answer.kind !== "object") throw new Error(`an object was wanted, got ${answer.kind}`);
  if (answer.status < 300) return [];
  const { details, message } = answer.object as unknown as Status;
  return (details?.causes ?? [{ field: "", message }]).map(
    (cause) => `${cause.field}: ${cause.message}`,
  );
}

function patchOf(name: string, { patch, subresource, keep }: Omit<RecordedPatch, "refused">) {
  const form = Array.isArray(patch) ? "json-patch" : "merge-patch";
  return {
    method: "PATCH" as const,
    path: `${PODS}/${name}${subresource === undefined ? "" : `/${subresource}`}`,
    query: keep === true ? {} : { dryRun: "All" },
    headers: { "content-type": `application/${form}+json` },
    body: { kind: "value" as const, value: patch },
  };
}

test.each(recorded)("as kube-apiserver does: $pod", async ({ pod, refused, status, patches }) => {
  await using server = await createApiServer({
    store: openMemoryStore(),
    admission: { disabled: DEFAULT_ADMISSION_PLUGINS },
  });
  const body = { kind: "value" as const, value: pod };
  expect(await causesOf(server, { body })).toEqual(refused);
  const { name } = pod.metadata;
  for (const reported of status ?? []) {
    const report = { patch: { status: reported }, subresource: "status", keep: true };
    expect(await causesOf(server, patchOf(name, report))).toEqual([]);
  }
  for (const patch of patches ?? []) {
    const causes = await causesOf(server, patchOf(name, patch));
    expect({ patch, causes }).toEqual({ patch, causes: patch.refused });
  }
});

test("the recorded answers cover refusals and acceptances, of pods and of changes", () => {
  const changes = recorded.flatMap(({ patches }) => patches ?? []);
  for (const answers of [recorded, changes]) {
    expect(answers.filter(({ refused }) => refused.length > 0).length).toBeGreaterThan(50);
    expect(answers.filter(({ refused }) => refused.length === 0).length).toBeGreaterThan(15);
  }
});
