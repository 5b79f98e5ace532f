import { expect, test } from "vitest";
import { readAdmission } from "./plane-admission.ts";

test("without flags nothing is off", () => {
  expect(readAdmission({})).toEqual({ disabled: [] });
});

test("plugins are switched off by name, and those that are on may be named", () => {
  const flags = { enableAdmissionPlugins: ["Priority"], disableAdmissionPlugins: ["PodSecurity"] };
  expect(readAdmission(flags)).toEqual({ disabled: ["PodSecurity"] });
});

test("a name that kube-apiserver does not know is told of in its words", () => {
  expect(() => readAdmission({ enableAdmissionPlugins: ["Nope"] })).toThrow(
    'enable-admission-plugins plugin "Nope" is unknown',
  );
  expect(() => readAdmission({ disableAdmissionPlugins: ["Priority", "nope"] })).toThrow(
    'disable-admission-plugins plugin "nope" is unknown',
  );
});

test("a plugin cannot be on and off", () => {
  const names = ["Priority", "PodSecurity"];
  expect(() =>
    readAdmission({ enableAdmissionPlugins: names, disableAdmissionPlugins: names }),
  ).toThrow(
    "[PodSecurity Priority] in enable-admission-plugins and disable-admission-plugins overlapped",
  );
});

test("a plugin that is not here cannot be switched on, and is off anyway", () => {
  expect(() => readAdmission({ enableAdmissionPlugins: ["NodeRestriction"] })).toThrow(
    'enable-admission-plugins plugin "NodeRestriction" is not part of homeostat; expected one of NamespaceLifecycle,',
  );
  expect(readAdmission({ disableAdmissionPlugins: ["NodeRestriction"] }).disabled).toEqual([
    "NodeRestriction",
  ]);
});
