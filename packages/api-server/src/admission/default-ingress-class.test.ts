import type { Ingress } from "@homeostat/object-model/networking-v1";
import { expect, test } from "vitest";
import { openPlane } from "./fixtures/asked-plane.ts";

const GROUP = "/apis/networking.k8s.io/v1";
const defaultBackend = { service: { name: "s", port: { number: 80 } } };

test.for([
  ["names no class", {}, {}, "c"],
  ["names another", { ingressClassName: "x" }, {}, "x"],
  ["names another the old way", {}, { "kubernetes.io/ingress.class": "x" }, undefined],
] as const)("an ingress that %s", async ([, spec, annotations, expected]) => {
  await using plane = await openPlane();
  await plane.ask("POST", `${GROUP}/ingressclasses`, {
    metadata: {
      name: "c",
      annotations: { "ingressclass.kubernetes.io/is-default-class": "true" },
    },
    spec: { controller: "example.com/c" },
  });
  const made = (await plane.ask("POST", `${GROUP}/namespaces/default/ingresses`, {
    metadata: { name: "a", annotations },
    spec: { defaultBackend, ...spec },
  })) as Ingress;
  expect(made.spec?.ingressClassName).toBe(expected);
});
