import { ManualClock, seededRandom, TimeoutError } from "@homeostat/concurrency";
import type { JsonObject, KubernetesObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { ConversionFigures } from "../figures/conversion-figures.ts";
import type { ObjectReader } from "../registry/strategy.ts";
import type { WebhookPlane } from "../webhooks/call-webhook.ts";
import type { WebhookClient, WebhookTarget } from "../webhooks/webhook-client.ts";
import { WebhookConverter } from "./webhook-converter.ts";

const WIDGET: KubernetesObject = {
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "a", uid: "1" },
};
const clientConfig = {
  service: { name: "hook", namespace: "default", path: "convert", port: 8443 },
};
const about = "conversion webhook for example.com/v1, Kind=Widget failed";

function converterOn(plane: Partial<WebhookPlane> & Pick<WebhookPlane, "client">) {
  const nothing = { get: () => undefined } as unknown as ObjectReader;
  return new WebhookConverter({
    clientConfig,
    reviewVersions: ["v1"],
    plane: { clock: new ManualClock(), reader: nothing, ...plane },
    random: seededRandom(1),
    definition: "widgets.example.com",
    figures: new ConversionFigures(),
  });
}

test("a webhook of a Service is called where the plane reaches that Service", async () => {
  const targets: WebhookTarget[] = [];
  const client: WebhookClient = {
    post: async (target, body) => {
      targets.push(target);
      const { uid, objects } = body["request"] as { uid: string; objects: JsonObject[] };
      const convertedObjects = [{ ...objects[0], apiVersion: "example.com/v2" }];
      const { apiVersion, kind } = body;
      const response = { uid, result: { status: "Success" }, convertedObjects };
      return { apiVersion, kind, response } as JsonObject;
    },
  };
  const address = { host: "127.0.0.1", port: 4711 };
  const known = converterOn({ client, resolveService: () => address });
  const [converted] = await known.convert([WIDGET], "example.com/v2");
  expect(converted).toEqual({ ...WIDGET, apiVersion: "example.com/v2" });
  expect(targets).toEqual([
    {
      url: "https://hook.default.svc:8443/convert",
      serverName: "hook.default.svc",
      authorities: undefined,
      timeoutSeconds: 30,
      address,
    },
  ]);
  await expect(converterOn({ client }).convert([WIDGET], "example.com/v2")).rejects.toThrow(
    `${about}: Post "https://hook.default.svc:8443/convert?timeout=30s": service "hook" not found`,
  );
});

test("a conversion that does not come to an end is given up after 30 seconds of the plane's clock", async () => {
  const clock = new ManualClock();
  const client: WebhookClient = {
    post: (_target, _body, options) =>
      new Promise((_resolve, reject) => {
        const { signal } = options!;
        signal!.addEventListener("abort", () => reject(signal!.reason as Error));
      }),
  };
  const resolveService = () => ({ host: "127.0.0.1", port: 4711 });
  const converter = converterOn({ client, clock, resolveService });
  const converting = converter.convert([WIDGET], "example.com/v2") as Promise<unknown>;
  let failed: unknown;
  void converting.catch((error: unknown) => (failed = error));
  await clock.advance(29_999);
  expect(failed).toBeUndefined();
  await clock.advance(1);
  expect(failed).toMatchObject({ message: `${about}: ${new TimeoutError(30_000).message}` });
});
