import { FieldSelector, LabelSelector } from "@homeostat/object-model";
import type { KeyValue, StoreEvent } from "@homeostat/store";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFor } from "../registry/companion-commit.ts";
import { ResourceTable } from "../registry/resource-table.ts";
import { Selection } from "../registry/selection.ts";
import { objectKeyIn } from "../registry/storage-key.ts";
import { WatchedChange } from "./watched-change.ts";

const served = new ResourceTable().find("", "v1", "pods")!;
const kind = served.stored;

interface PodState {
  readonly app?: string;
  readonly node: string;
  readonly phase: string;
}

function stateOf({ app, node, phase }: PodState, revision: number): KeyValue {
  const labels = app === undefined ? {} : { labels: { app } };
  const pod = {
    metadata: { name: "p", namespace: "n", uid: "1", ...labels },
    spec: { nodeName: node },
    status: { phase },
  };
  return {
    key: objectKeyIn(kind, "n", "p"),
    value: encodeFor(kind, pod),
    revision,
    createRevision: 1,
    version: revision,
    expiresAt: undefined,
  };
}

function eventOf(previous: PodState | undefined, current: PodState | undefined): StoreEvent {
  return {
    type: previous === undefined ? "added" : current === undefined ? "deleted" : "modified",
    key: objectKeyIn(kind, "n", "p"),
    revision: 8,
    current: current && stateOf(current, 8),
    previous: previous && stateOf(previous, 5),
  };
}

const podState = fc.record(
  {
    app: fc.constantFrom("a", "b"),
    node: fc.constantFrom("", "n1"),
    phase: fc.constantFrom("Pending", "Running"),
  },
  { requiredKeys: ["node", "phase"] },
);

const selectors: readonly [labels: string, fields: string, matches: (pod: PodState) => boolean][] =
  [
    ["", "", () => true],
    ["app=a", "", ({ app }) => app === "a"],
    ["app!=a", "", ({ app }) => app !== "a"],
    ["!app", "", ({ app }) => app === undefined],
    ["", "spec.nodeName=", ({ node }) => node === ""],
    ["", "status.phase!=Running", ({ phase }) => phase !== "Running"],
    ["app in (a,b)", "spec.nodeName=n1", ({ app, node }) => app !== undefined && node === "n1"],
    ["", "metadata.name=p,metadata.namespace=n", () => true],
    ["", "metadata.name=q", () => false],
  ];

test("entering, staying in and leaving a selection is told as ADDED, MODIFIED and DELETED", () => {
  fc.assert(
    fc.property(
      fc.option(podState, { nil: undefined }),
      fc.option(podState, { nil: undefined }),
      fc.constantFrom(...selectors),
      (previous, current, [labels, fields, matches]) => {
        fc.pre(previous !== undefined || current !== undefined);
        const selection = new Selection(kind, {
          labels: LabelSelector.parse(labels),
          fields: FieldSelector.parse(fields),
        });
        const before = previous !== undefined && matches(previous);
        const now = current !== undefined && matches(current);
        const type = now ? (before ? "MODIFIED" : "ADDED") : before ? "DELETED" : undefined;
        const line = new WatchedChange(eventOf(previous, current), served).lineFor(selection);
        expect(line?.frame.type).toBe(type);
        if (line === undefined) return;
        const shown = (type === "DELETED" ? previous : current)!;
        expect(line.frame.object).toMatchObject({
          metadata: { resourceVersion: "8" },
          spec: shown.node === "" ? {} : { nodeName: shown.node },
          status: { phase: shown.phase },
        });
        expect(JSON.parse(Buffer.from(line.bytes).toString())).toEqual(line.frame);
        expect(line.bytes.at(-1)).toBe(0x0a);
      },
    ),
  );
});

test("every selection that asks for the same line of a change gets the same one", () => {
  const change = new WatchedChange(
    eventOf(undefined, { app: "a", node: "", phase: "Pending" }),
    served,
  );
  const lines = ["", "app=a", "app"].map((labels) =>
    change.lineFor(
      new Selection(kind, {
        labels: LabelSelector.parse(labels),
        fields: FieldSelector.everything,
      }),
    ),
  );
  expect(new Set(lines).size).toBe(1);
});
