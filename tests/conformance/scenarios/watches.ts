/** Watches: where they start, what they tell, how they end (semantics 4-13). */
import {
  as,
  del,
  edited,
  get,
  patch,
  pause,
  post,
  put,
  type Scenario,
  type Step,
  scenario,
  watch,
} from "../scenario.ts";
import { sampleOf } from "./sample-objects.ts";

const map = (name: string, labels: Record<string, string> = {}) =>
  post("configmaps", { metadata: { name, labels } });
const end = map("zz-end");
const untilEnd = { name: "zz-end" } as const;
const labelled = (name: string, labels: Record<string, string | null>): Step =>
  patch(`configmaps/${name}`, ["merge", { metadata: { labels } }]);

export const watches: readonly Scenario[] = [
  scenario(
    "4 without a version the state comes first",
    map("b"),
    map("a"),
    watch("configmaps", {
      first: 2,
      until: untilEnd,
      during: [map("c"), del("configmaps/a"), end],
    }),
  ),
  scenario(
    "4 version 0 is the same",
    map("b"),
    map("a"),
    pause(300),
    watch("configmaps", {
      query: { resourceVersion: "0" },
      first: 2,
      until: untilEnd,
      during: [labelled("a", { l: "1" }), end],
    }),
  ),
  scenario(
    "4 from a version only what follows",
    map("a"),
    as("second", map("b")),
    labelled("a", { l: "1" }),
    watch("configmaps", {
      query: { resourceVersion: "${second:rv}" },
      until: untilEnd,
      during: [del("configmaps/b"), end],
    }),
  ),
  scenario(
    "5 list then watch loses and repeats nothing",
    map("a"),
    as("listed", get("configmaps")),
    map("b"),
    labelled("a", { l: "1" }),
    del("configmaps/b"),
    pause(50),
    watch("configmaps", {
      query: { resourceVersion: "${listed:rv}" },
      until: untilEnd,
      during: [map("c"), end],
    }),
    get("configmaps"),
  ),
  scenario(
    "5 resuming where another watch stopped",
    as("start", get("configmaps")),
    as(
      "before",
      watch("configmaps", {
        query: { resourceVersion: "${start:rv}" },
        until: { events: 2 },
        during: [map("a"), map("b")],
      }),
    ),
    map("c"),
    watch("configmaps", {
      query: { resourceVersion: "${before:1.object.metadata.resourceVersion}" },
      until: untilEnd,
      during: [end],
    }),
  ),
  scenario(
    "6 a version too old ends with an ERROR event",
    map("a"),
    watch("configmaps", { query: { resourceVersion: "1", timeoutSeconds: "2" }, until: "end" }),
    watch("configmaps", {
      query: { resourceVersion: "1", allowWatchBookmarks: "true", timeoutSeconds: "2" },
      until: "end",
    }),
  ),
  scenario(
    "6 versions that are none",
    watch("configmaps", { query: { resourceVersion: "abc" }, until: "end" }),
    watch("configmaps", { query: { resourceVersion: "-1" }, until: "end" }),
    watch("configmaps", { query: { resourceVersion: "1.5" }, until: "end" }),
  ),
  scenario(
    "6 a version of the future",
    watch("configmaps", {
      query: { resourceVersion: "999999999", timeoutSeconds: "1" },
      until: "end",
    }),
  ),
  scenario(
    "7 no bookmarks unless asked for",
    map("a"),
    watch("configmaps", { query: { timeoutSeconds: "4" }, until: "end" }),
  ),
  scenario(
    "7 a bookmark before the watch ends",
    as("made", map("a")),
    map("b"),
    watch("configmaps", {
      query: { timeoutSeconds: "4", allowWatchBookmarks: "true", resourceVersion: "${made:rv}" },
      until: "end",
    }),
  ),
  scenario(
    "8 initial events end with a bookmark",
    map("b"),
    map("a", { l: "1" }),
    watch("configmaps", {
      query: {
        sendInitialEvents: "true",
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: "true",
      },
      first: 3,
      until: untilEnd,
      during: [map("c"), end],
    }),
    watch("configmaps", {
      query: {
        sendInitialEvents: "true",
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: "true",
        labelSelector: "l=1",
        resourceVersion: "0",
      },
      until: { events: 2 },
    }),
    watch("pods", {
      query: {
        sendInitialEvents: "true",
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: "true",
        resourceVersion: "",
      },
      until: { events: 1 },
    }),
  ),
  scenario(
    "8 what initial events need",
    as("made", map("a")),
    watch("configmaps", { query: { sendInitialEvents: "true" }, until: "end" }),
    watch("configmaps", {
      query: { sendInitialEvents: "true", resourceVersionMatch: "Exact" },
      until: "end",
    }),
    watch("configmaps", {
      query: { sendInitialEvents: "true", allowWatchBookmarks: "true" },
      until: "end",
    }),
    watch("configmaps", {
      query: {
        sendInitialEvents: "true",
        resourceVersionMatch: "NotOlderThan",
        timeoutSeconds: "1",
      },
      until: "end",
    }),
    watch("configmaps", {
      query: {
        sendInitialEvents: "false",
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: "true",
        resourceVersion: "${made:rv}",
      },
      until: untilEnd,
      during: [end],
    }),
    watch("configmaps", { query: { sendInitialEvents: "abc" }, until: "end" }),
    watch("configmaps", { query: { resourceVersionMatch: "NotOlderThan" }, until: "end" }),
    watch("configmaps", {
      query: { resourceVersionMatch: "NotOlderThan", resourceVersion: "5" },
      until: "end",
    }),
    watch("configmaps", { query: { continue: "abc", timeoutSeconds: "1" }, until: "end" }),
    watch("configmaps", { query: { limit: "1", timeoutSeconds: "1" }, until: "end" }),
  ),
  scenario(
    "9 label transitions",
    map("a", { on: "yes" }),
    map("b"),
    as("listed", get("configmaps", { query: { labelSelector: "on=yes" } })),
    watch("configmaps", {
      query: { labelSelector: "on=yes", resourceVersion: "${listed:rv}" },
      until: untilEnd,
      during: [
        labelled("b", { on: "yes" }),
        labelled("b", { other: "1" }),
        labelled("a", { on: "no" }),
        labelled("a", { other: "1" }),
        labelled("b", { on: null }),
        labelled("a", { on: "yes" }),
        del("configmaps/a"),
        del("configmaps/b"),
        map("zz-end", { on: "yes" }),
      ],
    }),
  ),
  scenario(
    "9 field transitions",
    post("pods", sampleOf("pods")),
    as("listed", get("pods")),
    watch("pods", {
      query: { fieldSelector: "spec.nodeName=", resourceVersion: "${listed:rv}" },
      until: { name: "zz-end" },
      during: [
        post("pods", {
          metadata: { name: "b" },
          spec: { nodeName: "n1", containers: [{ name: "c", image: "i" }] },
        }),
        post("pods/a/binding", { target: { kind: "Node", name: "n1" } }),
        patch("pods/a", ["merge", { metadata: { labels: { l: "1" } } }]),
        post("pods", {
          metadata: { name: "zz-end" },
          spec: { containers: [{ name: "c", image: "i" }] },
        }),
      ],
    }),
    watch("pods", {
      query: { fieldSelector: "status.phase=Running", resourceVersion: "${listed:rv}" },
      until: { name: "b" },
      during: [
        patch("pods/a/status", ["merge", { status: { phase: "Running" } }]),
        patch("pods/a/status", ["merge", { status: { phase: "Succeeded" } }]),
        patch("pods/b/status", ["merge", { status: { phase: "Running" } }]),
      ],
    }),
  ),
  scenario(
    "10 a deleted object is told in its last state with the version of its deletion",
    as("made", map("a", { l: "1" })),
    watch("configmaps", {
      query: { resourceVersion: "${made:rv}" },
      until: untilEnd,
      during: [labelled("a", { l: "2" }), del("configmaps/a"), map("a"), end],
    }),
  ),
  scenario(
    "11 all watchers see the same order",
    as("made", map("a")),
    as(
      "outer",
      watch("configmaps", {
        query: { resourceVersion: "${made:rv}" },
        until: untilEnd,
        during: [
          as(
            "inner",
            watch("configmaps", {
              query: { resourceVersion: "${made:rv}" },
              until: untilEnd,
              during: [
                map("c"),
                labelled("a", { l: "1" }),
                map("b"),
                del("configmaps/c"),
                labelled("a", { l: "2" }),
                map("c"),
                end,
              ],
            }),
          ),
        ],
      }),
    ),
    watch("configmaps", { query: { resourceVersion: "${made:rv}" }, until: untilEnd }),
  ),
  scenario(
    "12 timeoutSeconds ends it",
    map("a"),
    watch("configmaps", { query: { timeoutSeconds: "1" }, until: "end" }),
    watch("configmaps", { query: { timeoutSeconds: "abc" }, until: "end" }),
    watch("configmaps", { query: { timeoutSeconds: "0" }, first: 1, until: { events: 1 } }),
  ),
  scenario(
    "13 a write that changes nothing makes no event",
    as("made", post("configmaps", { metadata: { name: "a" }, data: { k: "1" } })),
    watch("configmaps", {
      query: { resourceVersion: "${made:rv}" },
      until: untilEnd,
      during: [
        put("configmaps/a", edited("made")),
        patch("configmaps/a", ["merge", { data: { k: "1" } }]),
        patch("configmaps/a", ["merge", { data: { k: "2" } }], { query: { dryRun: "All" } }),
        post("configmaps", { metadata: { name: "b" } }, { query: { dryRun: "All" } }),
        { ...del("configmaps/a"), query: { dryRun: "All" } },
        end,
      ],
    }),
  ),
  scenario(
    "38 finalizers in a watch",
    as("made", post("configmaps", { metadata: { name: "a", finalizers: ["example.com/hold"] } })),
    watch("configmaps", {
      query: { resourceVersion: "${made:rv}" },
      until: untilEnd,
      during: [
        del("configmaps/a"),
        del("configmaps/a"),
        patch("configmaps/a", ["merge", { metadata: { finalizers: null } }]),
        end,
      ],
    }),
  ),
  scenario(
    "46 deletecollection in a watch",
    map("a", { l: "1" }),
    map("b"),
    as("last", map("c", { l: "1" })),
    watch("configmaps", {
      query: { resourceVersion: "${last:rv}" },
      until: untilEnd,
      during: [{ ...del("configmaps"), query: { labelSelector: "l=1" } }, end],
    }),
  ),
  scenario(
    "a watch of one name, by field and by path",
    map("b"),
    as("made", map("a")),
    watch("configmaps", {
      query: { fieldSelector: "metadata.name=a", resourceVersion: "${made:rv}" },
      until: { events: 2 },
      during: [labelled("b", { l: "1" }), labelled("a", { l: "1" }), del("configmaps/a")],
    }),
    watch("configmaps/b", { first: 1, until: { events: 2 }, during: [labelled("b", { l: "2" })] }),
    watch("/api/v1/watch/namespaces/${ns}/configmaps", {
      query: {},
      first: 1,
      until: untilEnd,
      during: [end],
    }),
    watch("/api/v1/watch/namespaces/${ns}/configmaps/b", {
      query: {},
      first: 1,
      until: { events: 1 },
    }),
    watch("configmaps/missing", { query: { timeoutSeconds: "1" }, until: "end" }),
  ),
  scenario(
    "a watch over all namespaces",
    as("made", map("a", { of: "${ns}" })),
    watch("/api/v1/configmaps", {
      query: { labelSelector: "of=${ns}", resourceVersion: "${made:rv}" },
      until: untilEnd,
      during: [map("b", { of: "${ns}" }), map("zz-end", { of: "${ns}" })],
    }),
    watch("/api/v1/namespaces/does-not-exist/configmaps", {
      query: { timeoutSeconds: "1" },
      until: "end",
    }),
  ),
  scenario(
    "watches that are refused",
    watch("configmaps", { query: { labelSelector: "a b" }, until: "end" }),
    watch("configmaps", { query: { fieldSelector: "data.x=y" }, until: "end" }),
    watch("configmaps", { options: { headers: { accept: "text/html" } }, query: {}, until: "end" }),
    watch("/api/v1/nothings", { query: {}, until: "end" }),
    watch("configmaps", { query: { watch: "maybe", timeoutSeconds: "1" }, until: "end" }),
    watch("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { query: {}, until: "end" }),
  ),
  scenario(
    "two versions of one kind tell the same changes",
    as("made", post("horizontalpodautoscalers", sampleOf("horizontalpodautoscalers"))),
    watch("horizontalpodautoscalers.v1.autoscaling", {
      query: { resourceVersion: "${made:rv}" },
      until: { events: 2 },
      during: [
        patch("horizontalpodautoscalers/a", ["merge", { spec: { maxReplicas: 5 } }]),
        del("horizontalpodautoscalers/a"),
      ],
    }),
    as("event", post("events", sampleOf("events"))),
    watch("events.events.k8s.io", {
      query: { resourceVersion: "${event:rv}" },
      until: { events: 2 },
      during: [patch("events/a", ["merge", { count: 2 }]), del("events/a")],
    }),
  ),
];
