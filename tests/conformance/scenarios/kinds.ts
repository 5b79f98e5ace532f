/** Every kind through the same life: create, read, change in each way, status, delete. */
import {
  as,
  del,
  edited,
  findResource,
  get,
  patch,
  post,
  put,
  type Scenario,
  type Step,
  scenario,
  watch,
} from "../scenario.ts";
import { clusterSamples, nameOfSample, namespacedSamples, sampleOf } from "./sample-objects.ts";

export const kinds: readonly Scenario[] = [
  ...[...Object.keys(namespacedSamples), ...Object.keys(clusterSamples)].map(lifeOf),
  ...[...Object.keys(namespacedSamples), ...Object.keys(clusterSamples)].map(updateRulesOf),
  ...Object.keys(namespacedSamples).map(collectionOf),
  ...[...Object.keys(namespacedSamples), ...Object.keys(clusterSamples)].map(refusalsOf),
  ...["configmaps", "secrets"].map(sealedOf),
];

function lifeOf(resource: string): Scenario {
  const place = `${resource}/${nameOfSample(resource)}`;
  return scenario(
    `${resource}: life of one object`,
    as("made", post(resource, sampleOf(resource))),
    get(place),
    get(resource, { query: { fieldSelector: `metadata.name=${nameOfSample(resource)}` } }),
    post(resource, sampleOf(resource)),
    as("labelled", patch(place, ["merge", { metadata: { labels: { tier: "one" } } }])),
    put(place, edited("labelled", { metadata: { annotations: { note: "two" } } })),
    patch(place, [
      "json",
      [
        { op: "test", path: "/metadata/labels/tier", value: "one" },
        { op: "remove", path: "/metadata/labels" },
      ],
    ]),
    patch(place, ["strategic", { metadata: { labels: { tier: "three" } } }]),
    ...statusSteps(resource, place),
    as("last", get(place)),
    put(place, edited("last")),
    del(place),
    get(place),
  );
}

function statusSteps(resource: string, place: string): Step[] {
  if (!findResource(resource).subresources.some((each) => each.name === "status")) return [];
  return [
    get(`${place}/status`),
    as("status", patch(`${place}/status`, ["merge", { metadata: { labels: { by: "status" } } }])),
    put(`${place}/status`, edited("status")),
  ];
}

/** Semantics 14, 17 and 46: some of a kind, chosen by label and in pages, and deleted together. */
function collectionOf(resource: string): Scenario {
  const sample = (name: string, labels: Record<string, string>): Step =>
    post(resource, { ...sampleOf(resource), metadata: { name, labels } });
  return scenario(
    `${resource}: some at once`,
    sample("a", { tier: "one" }),
    sample("b", {}),
    sample("c", { tier: "two" }),
    get(resource, { query: { labelSelector: "tier" } }),
    get(resource, { id: "page", query: { limit: "2" } }),
    get(resource, { query: { limit: "2", continue: "${page:continue}" } }),
    { ...del(resource), query: { labelSelector: "tier=one", dryRun: "All" } },
    { ...del(resource, { propagationPolicy: "Background" }), query: { labelSelector: "tier" } },
    get(resource),
    watch(resource, {
      query: { timeoutSeconds: "60" },
      first: 1,
      until: { events: 2 },
      during: [patch(`${resource}/b`, ["merge", { metadata: { annotations: { note: "x" } } }])],
    }),
  );
}

/** Semantics 18-20: stale, missing and absent versions. */
function updateRulesOf(resource: string): Scenario {
  const place = `${resource}/${nameOfSample(resource)}`;
  const withoutVersion = { metadata: { resourceVersion: null, annotations: { n: "1" } } };
  return scenario(
    `${resource}: update rules`,
    put(place, sampleOf(resource)),
    del(place),
    as("made", post(resource, sampleOf(resource))),
    as("changed", patch(place, ["merge", { metadata: { annotations: { n: "0" } } }])),
    put(place, edited("made", { metadata: { annotations: { n: "2" } } })),
    put(place, edited("changed", withoutVersion)),
    put(place, edited("changed", { metadata: { resourceVersion: "0", annotations: { n: "3" } } })),
    put(place, edited("changed", { metadata: { uid: "11111111-2222-3333-4444-555555555555" } })),
    patch(place, [
      "merge",
      { metadata: { resourceVersion: "${made:rv}", annotations: { n: "4" } } },
    ]),
    patch(place, ["merge", { metadata: { uid: "11111111-2222-3333-4444-555555555555" } }]),
    patch(place, ["merge", { metadata: { name: "other" } }]),
    patch(`${resource}/missing`, ["merge", { metadata: { annotations: { n: "5" } } }]),
    get(`${resource}/missing`),
    del(`${resource}/missing`),
    del(place, { preconditions: { uid: "11111111-2222-3333-4444-555555555555" } }),
    del(place, { preconditions: { resourceVersion: "1" } }),
    del(place, { preconditions: { uid: "${made:uid}" } }),
  );
}

/** Which errors of the metadata are told beside those of everything else, and in which order. */
function refusalsOf(resource: string): Scenario {
  const name = nameOfSample(resource);
  const metadata = {
    labels: { "bad label!": "x" },
    annotations: { "a b": "x" },
    finalizers: ["a b"],
  };
  return scenario(
    `${resource}: metadata and the rest are both wrong`,
    post(resource, { metadata: { ...metadata, name } }),
    post(resource, { metadata: { ...metadata, name: "Not_A Name/" } }),
    as("made", post(resource, sampleOf(resource))),
    put(`${resource}/${name}`, edited("made", { metadata, spec: null })),
    del(`${resource}/${name}`),
  );
}

/** What must not change is told in the midst of what is wrong with the metadata. */
function sealedOf(resource: string): Scenario {
  const wrong = { labels: { "bad label!": "x" }, finalizers: ["a b"] };
  return scenario(
    `${resource}: sealed, and the metadata is wrong too`,
    as("made", post(resource, { ...sampleOf(resource), immutable: true })),
    put(
      `${resource}/a`,
      edited("made", { metadata: wrong, immutable: null, data: { "a/b": "eA==" } }),
    ),
    patch(`${resource}/a`, ["merge", { metadata: wrong, type: "other", data: null }]),
  );
}
