import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import type { AskedProbe } from "./ask-probes.ts";
import { AnswerPacker, AnswerUnpacker } from "./pack-answers.ts";
import type { Probe } from "./probe.ts";
import { refusal } from "./refusal.ts";

const sent: JsonObject = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } };

function asked(
  mutation: string,
  answer: AskedProbe["answer"],
  body: JsonObject = sent,
): AskedProbe {
  const probe: Probe = { variant: "plain", operation: "create", field: "", mutation, edits: [] };
  return { probe, sent: body, answer };
}

const created = { ...sent, spec: { replicas: 1 }, status: {} };
const causes = [
  { field: "spec.selector", reason: "FieldValueRequired", message: "Required value" },
  {
    field: "metadata.name",
    reason: "FieldValueInvalid",
    message: `Invalid value: "${"a".repeat(254)}"`,
  },
];
const all: AskedProbe[] = [
  asked("base", { status: 201, warnings: ['299 - "old"'], body: created }),
  asked("same", { status: 201, warnings: ['299 - "old"'], body: created }),
  asked("managed", { status: 201, warnings: [], body: created, managers: "abc-_9" }),
  asked("silent", { status: 201, warnings: [], body: created }),
  asked("more", {
    status: 201,
    warnings: ['299 - "a"', '299 - "b"'],
    body: { ...created, more: [1] },
  }),
  asked("less", { status: 201, warnings: [], body: { ...sent, status: {} } }),
  asked("refused", { status: 422, warnings: [], body: refusal(sent, causes) }),
  asked("chance", { status: 422, warnings: [], body: refusal(sent, causes), unordered: true }),
  asked("unusual", {
    status: 400,
    warnings: ['299 - "x"'],
    body: { kind: "Status", message: "no" },
  }),
];

test("every kind of answer reads back as it was", () => {
  const packer = new AnswerPacker();
  const answers = all.map((each) => ({ probe: each.probe, packed: packer.pack(each) }));
  const unpacker = new AnswerUnpacker({ texts: packer.texts, answers });
  for (const [i, each] of all.entries()) {
    expect(unpacker.unpack(each, answers[i]!.packed)).toEqual(each.answer);
  }
});

test("an answer like that to the bare variant takes no room", () => {
  const packer = new AnswerPacker();
  const packed = all.map((each) => packer.pack(each));
  expect(packed[1]).toBe("201");
  expect([...packer.texts.values()].some((text) => text.includes("<a*254>"))).toBe(true);
});
