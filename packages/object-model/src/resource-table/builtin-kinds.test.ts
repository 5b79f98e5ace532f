// The compiler judges these: `npm run check` fails where an expectation or a @ts-expect-error does.

import { expectTypeOf, test } from "vitest";
import type { CustomResourceDefinition, JSONSchemaProps } from "../generated/apiextensions-v1.ts";
import type { Deployment } from "../generated/apps-v1.ts";
import type { BuiltinKinds } from "../generated/builtin-kinds.ts";
import type { ConfigMap, Container, Pod, PodList, Volume } from "../generated/core-v1.ts";
import type { ObjectMeta, Quantity, Status } from "../generated/meta-v1.ts";
import type { KubernetesList, KubernetesObject } from "../object.ts";

test("a pod as people write it is a Pod", () => {
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", labels: { app: "web" } },
    spec: {
      containers: [
        {
          name: "web",
          image: "web:1",
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: 1, memory: "1Gi" } },
          readinessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 5 },
        },
      ],
      volumes: [{ name: "data", emptyDir: {} }],
    },
  };
  expectTypeOf(pod).toExtend<KubernetesObject>();
  expectTypeOf<PodList>().toExtend<KubernetesList<Pod>>();
});

test("wrong kinds, unknown fields and missing required fields are refused", () => {
  // @ts-expect-error a Pod's kind is "Pod"
  const kind: Pod = { kind: "Deployment", metadata: {} };
  // @ts-expect-error a Pod has no field "specs"
  const unknown: Pod = { metadata: {}, specs: {} };
  // @ts-expect-error a container needs a name
  const unnamed: Container = { image: "web:1" };
  // @ts-expect-error absent and undefined differ
  const absent: ConfigMap = { metadata: {}, data: undefined };
  // @ts-expect-error ports are numbers
  const port: Container = { name: "web", ports: [{ containerPort: "80" }] };
  expectTypeOf([kind, unknown, unnamed, absent, port]).toBeArray();
});

test("metadata is there in what the server keeps, and a field's types are those of its JSON", () => {
  expectTypeOf<Pod["metadata"]>().toEqualTypeOf<ObjectMeta>();
  expectTypeOf<Deployment["metadata"]>().toEqualTypeOf<ObjectMeta>();
  expectTypeOf<Required<ObjectMeta>["labels"]>().toEqualTypeOf<{ [key: string]: string }>();
  expectTypeOf<Required<ObjectMeta>["generation"]>().toEqualTypeOf<number>();
  expectTypeOf<Quantity>().toEqualTypeOf<string | number>();
  expectTypeOf<Required<JSONSchemaProps>["additionalProperties"]>().toEqualTypeOf<
    JSONSchemaProps | boolean
  >();
  expectTypeOf<Volume>().toHaveProperty("emptyDir");
  expectTypeOf<Required<JSONSchemaProps>["x-kubernetes-list-map-keys"]>().toEqualTypeOf<string[]>();
});

test("a type is had by its apiVersion and kind", () => {
  expectTypeOf<BuiltinKinds["v1/Pod"]>().toEqualTypeOf<Pod>();
  expectTypeOf<BuiltinKinds["apps/v1/Deployment"]>().toEqualTypeOf<Deployment>();
  expectTypeOf<BuiltinKinds["v1/Status"]>().toEqualTypeOf<Status>();
  expectTypeOf<
    BuiltinKinds["apiextensions.k8s.io/v1/CustomResourceDefinition"]
  >().toEqualTypeOf<CustomResourceDefinition>();
  // @ts-expect-error there is no such kind
  expectTypeOf<BuiltinKinds["v1/Ghost"]>().toBeNever();
});
