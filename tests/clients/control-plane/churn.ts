import { realClock, sleep } from "@homeostat/concurrency";
import type { ApiClient } from "../../kubelet/api-client.ts";
import {
  deviceStory,
  joiningStory,
  lostNodeStory,
  mirroringStory,
  podStory,
  policyStory,
} from "./cluster-stories.ts";
import {
  accountStory,
  aggregationStory,
  quotaStory,
  signingStory,
  taintStory,
} from "./governance-stories.ts";
import { widgetDefinition } from "./manifests.ts";
import { StoryPlace } from "./story-place.ts";
import {
  collectionStory,
  daemonStory,
  deploymentStory,
  jobStory,
  namespaceStory,
  statefulStory,
} from "./workload-stories.ts";

type Story = (place: StoryPlace) => Promise<void>;

const STORIES: Readonly<Record<string, Story>> = {
  deployments: deploymentStory,
  jobs: jobStory,
  statefulsets: statefulStory,
  daemonsets: daemonStory,
  quotas: quotaStory,
  accounts: accountStory,
  signing: signingStory,
  collection: collectionStory,
  namespaces: namespaceStory,
  aggregation: aggregationStory,
  taints: taintStory,
  policies: policyStory,
  joining: joiningStory,
  mirroring: mirroringStory,
  pods: podStory,
  nodes: lostNodeStory,
  devices: deviceStory,
};
export const STORY_NAMES: readonly string[] = Object.keys(STORIES);

export interface StoryResult {
  readonly story: string;
  readonly runs: number;
  /** Mean, from the namespace's creation until it is gone. */
  readonly seconds: number;
  readonly failures: readonly string[];
}

export interface ChurnOptions {
  readonly minutes: number;
  /** Stories told at a time. */
  readonly width: number;
  /** Names of stories, at least one. */
  readonly stories: readonly string[];
}

/** Tells each story at least once, then again and again until the time is over. */
export async function churn(api: ApiClient, options: ChurnOptions): Promise<StoryResult[]> {
  const end = realClock.monotonic() + options.minutes * 60_000;
  await defineWidgets(api);
  const names = options.stories;
  const told = new Map(
    names.map((name) => [name, { runs: 0, seconds: 0, failures: [] as string[] }]),
  );
  let next = 0;
  const tell = async (): Promise<void> => {
    while (next < names.length || realClock.monotonic() < end) {
      const number = next++;
      const name = names[number % names.length]!;
      const { failures, seconds } = await tellOnce(api, name, number);
      const result = told.get(name)!;
      result.runs++;
      result.seconds += seconds;
      result.failures.push(...failures);
    }
  };
  await Promise.all(Array.from({ length: options.width }, tell));
  return [...told].map(([story, { runs, seconds, failures }]) => ({
    story,
    runs,
    seconds: seconds / runs,
    failures,
  }));
}

async function tellOnce(
  api: ApiClient,
  name: string,
  number: number,
): Promise<{ failures: string[]; seconds: number }> {
  const failures: string[] = [];
  const begun = realClock.monotonic();
  try {
    await using place = new StoryPlace(api, `${name}-${number}`);
    await place.open();
    await STORIES[name]!(place);
  } catch (error) {
    failures.push(`${name}-${number}: ${String(error)}`);
  }
  return { failures, seconds: (realClock.monotonic() - begun) / 1000 };
}

/** Also waits until the controllers, which look for new kinds now and then, follow them. */
async function defineWidgets(api: ApiClient): Promise<void> {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await api.ask("POST", path, { body: widgetDefinition() });
  await sleep(realClock, 1000);
  const place = new StoryPlace(api, "default");
  const quota = "/api/v1/namespaces/default/resourcequotas";
  const hard = { "count/widgets.control.example.com": "1" };
  await place.create(quota, { metadata: { name: "widgets" }, spec: { hard } });
  await place.until(
    `${quota}/widgets`,
    ({ status }) => status !== undefined && JSON.stringify(status).includes('"used"'),
  );
  await place.delete(`${quota}/widgets`);
}
