import type { Container, Pod } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { copyAppArmorAnnotations } from "./app-armor-annotations.ts";

const KEY = "container.apparmor.security.beta.kubernetes.io/c";
const WARNING = `metadata.annotations[${KEY}]: deprecated since v1.30; use the "appArmorProfile" field instead`;

function pod(annotation: string, container: Partial<Container> = {}): Pod {
  return {
    metadata: { name: "p", annotations: { [KEY]: annotation } },
    spec: { containers: [{ name: "c", image: "x", ...container }] },
  };
}

test.each([
  ["unconfined", { type: "Unconfined" }],
  ["runtime/default", { type: "RuntimeDefault" }],
  ["localhost/mine", { type: "Localhost", localhostProfile: "mine" }],
])("the annotation %s becomes a field, with a warning", (annotation, profile) => {
  const annotated = pod(annotation);
  expect(copyAppArmorAnnotations(annotated)).toEqual([WARNING]);
  expect(annotated.spec?.containers[0]?.securityContext).toEqual({ appArmorProfile: profile });
});

test("an annotation that is no valid profile stays one, with a warning", () => {
  for (const annotation of ["nonsense", "localhost/", "localhost/ padded"]) {
    const annotated = pod(annotation);
    expect(copyAppArmorAnnotations(annotated)).toEqual([WARNING]);
    expect(annotated.spec?.containers[0]?.securityContext).toBeUndefined();
  }
});

test("a field that says it already is left alone", () => {
  const own = { securityContext: { appArmorProfile: { type: "RuntimeDefault" } } };
  const annotated = pod("unconfined", own);
  expect(copyAppArmorAnnotations(annotated)).toEqual([]);
  expect(annotated.spec?.containers[0]?.securityContext).toEqual(own.securityContext);
});

test("a profile of the pod that is the same is not repeated in the container", () => {
  const annotated = pod("unconfined");
  annotated.spec!.securityContext = { appArmorProfile: { type: "Unconfined" } };
  expect(copyAppArmorAnnotations(annotated)).toEqual([]);
  expect(annotated.spec?.containers[0]?.securityContext).toBeUndefined();
});

test("pods of Windows nodes are not looked at", () => {
  const annotated = pod("unconfined");
  annotated.spec!.os = { name: "windows" };
  expect(copyAppArmorAnnotations(annotated)).toEqual([]);
});
