/** Unknown and duplicate fields, wrong types (semantic 31), and what a strict reader says. */
import { patch, post, put, type RequestStep, type Scenario, scenario } from "../scenario.ts";
import { fieldValidationOrder } from "./field-validation-order.ts";

const text = (place: string, body: string, query: Record<string, string> = {}): RequestStep =>
  post(place, { text: body }, { query });
const levels = ["Strict", "Warn", "Ignore", undefined] as const;
const each = (body: (name: string) => string): RequestStep[] =>
  levels.map((level, i) =>
    text("configmaps", body(`n${i}`), level === undefined ? {} : { fieldValidation: level }),
  );
const head = '"apiVersion":"v1","kind":"ConfigMap"';

export const fieldValidation: readonly Scenario[] = [
  scenario(
    "31 unknown fields",
    ...each((n) => `{${head},"metadata":{"name":"${n}","nope":1},"data":{},"other":{"deep":1}}`),
  ),
  scenario(
    "31 duplicate fields",
    ...each((n) => `{${head},"metadata":{"name":"${n}","name":"${n}"},"data":{"k":"1","k":"2"}}`),
  ),
  scenario(
    "31 both, and more than once",
    ...each(
      (n) =>
        `{${head},"x":1,"x":2,"metadata":{"name":"${n}","labels":{"a":"1","a":"2"}},"data":{"k":"1","k":"2","k":"3"}}`,
    ),
  ),
  scenario(
    "31 case matters",
    ...each((n) => `{${head},"metadata":{"name":"${n}","Labels":{"a":"b"}},"DATA":{"k":"1"}}`),
  ),
  scenario(
    "31 values of fieldValidation",
    text("configmaps", `{${head},"metadata":{"name":"a"},"x":1}`, { fieldValidation: "strict" }),
    text("configmaps", `{${head},"metadata":{"name":"b"},"x":1}`, { fieldValidation: "" }),
    text("configmaps", `{${head},"metadata":{"name":"c"},"x":1}`, { fieldValidation: "Sometimes" }),
  ),
  scenario(
    "31 unknown fields deep in a pod",
    ...levels.map((level, i) =>
      text(
        "pods",
        `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p${i}"},"spec":{"containers":[{"name":"c","image":"i","imag":"typo","env":[{"name":"A","valu":"x"}]},{"name":"d","image":"i","ports":[{"containerPort":80,"containerport":81}]}],"nodename":"x"}}`,
        level === undefined ? {} : { fieldValidation: level },
      ),
    ),
  ),
  scenario(
    "31 updates and patches",
    text("configmaps", `{${head},"metadata":{"name":"a"}}`),
    ...levels.flatMap((level) => {
      const query: Record<string, string> = level === undefined ? {} : { fieldValidation: level };
      return [
        put(
          "configmaps/a",
          { text: `{${head},"metadata":{"name":"a"},"x":1,"data":{"k":"1","k":"2"}}` },
          { query },
        ),
        patch("configmaps/a", ["merge", { x: 1, metadata: { y: 2 } }], { query }),
        patch("configmaps/a", ["merge", '{"data":{"k":"3","k":"4"}}'], { query }),
        patch("configmaps/a", ["strategic", { x: 1 }], { query }),
        patch("configmaps/a", ["strategic", '{"data":{"k":"5","k":"6"}}'], { query }),
        patch("configmaps/a", ["json", [{ op: "add", path: "/x", value: 1 }]], { query }),
        patch(
          "configmaps/a",
          ["json", '[{"op":"add","op":"add","path":"/x","value":1,"extra":2}]'],
          { query },
        ),
      ];
    }),
  ),
  scenario(
    "wrong types are refused whatever the level",
    ...[
      `{${head},"metadata":{"name":"a"},"data":{"k":5}}`,
      `{${head},"metadata":{"name":"a"},"data":{"k":true}}`,
      `{${head},"metadata":{"name":"a"},"data":{"k":null}}`,
      `{${head},"metadata":{"name":"b"},"data":[]}`,
      `{${head},"metadata":{"name":"b"},"data":"x"}`,
      `{${head},"metadata":{"name":5}}`,
      `{${head},"metadata":"x"}`,
      `{${head},"metadata":[]}`,
      `{${head},"metadata":null}`,
      `{${head},"metadata":{"name":"c"},"immutable":"yes"}`,
      `{${head},"metadata":{"name":"c"},"immutable":1}`,
      `{${head},"metadata":{"name":"d"},"binaryData":{"k":"@"}}`,
      `{${head},"metadata":{"name":"d","labels":{"a":1}}}`,
      `{${head},"metadata":{"name":"d","finalizers":"x"}}`,
      `{${head},"metadata":{"name":"d","creationTimestamp":"yesterday"}}`,
      `{${head},"metadata":{"name":"d","creationTimestamp":5}}`,
      `{"apiVersion":5,"kind":"ConfigMap"}`,
      `{"apiVersion":"v1","kind":["ConfigMap"]}`,
    ].map((body) => text("configmaps", body)),
  ),
  scenario(
    "wrong types in bigger objects",
    ...[
      '"replicas":"3"',
      '"replicas":1.5',
      '"replicas":1e2',
      '"replicas":3.0',
      '"replicas":99999999999',
      '"replicas":-1',
      '"replicas":null',
      '"paused":"true"',
      '"minReadySeconds":true',
      '"strategy":"Recreate"',
      '"strategy":{"rollingUpdate":{"maxSurge":"25%"}}',
      '"strategy":{"rollingUpdate":{"maxSurge":1.5}}',
      '"strategy":{"rollingUpdate":{"maxSurge":{}}}',
      '"selector":[]',
    ].map((field, i) =>
      text(
        "deployments",
        `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d${i}"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}},${field}}}`,
        { fieldValidation: "Ignore" },
      ),
    ),
  ),
  scenario(
    "many unknown fields",
    text(
      "configmaps",
      `{${head},"metadata":{"name":"a"},${Array.from({ length: 60 }, (_, i) => `"u${i}":1`).join()}}`,
      { fieldValidation: "Strict" },
    ),
    text(
      "configmaps",
      `{${head},"metadata":{"name":"a"},${Array.from({ length: 60 }, (_, i) => `"u${i}":1`).join()}}`,
    ),
  ),
  scenario(
    "31 subresources and delete options",
    post("pods", { metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "i" }] } }),
    text(
      "pods/a/binding",
      '{"apiVersion":"v1","kind":"Binding","metadata":{"name":"a"},"target":{"name":"n"},"x":1}',
      { fieldValidation: "Strict" },
    ),
    text(
      "pods/a/eviction",
      '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a"},"x":1}',
      { fieldValidation: "Strict" },
    ),
    patch("pods/a/status", ["merge", { status: { nope: 1 } }], {
      query: { fieldValidation: "Strict" },
    }),
    patch("pods/a/status", ["merge", { status: { nope: 1 } }]),
  ),
  ...fieldValidationOrder,
];
