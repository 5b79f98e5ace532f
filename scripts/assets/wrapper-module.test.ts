import { expect, test } from "vitest";
import { wrapperModule } from "./wrapper-module.ts";

test("the wrapper requires the module with its Go line and ignores its replacements", () => {
  const text = wrapperModule(
    "etcd",
    {
      from: "module",
      module: "go.etcd.io/etcd/server/v3",
      moduleVersion: "v3.6.16",
      package: "go.etcd.io/etcd/server/v3",
    },
    {
      Go: "1.26.0",
      Godebug: null,
      Replace: [{ Old: { Path: "go.etcd.io/etcd/api/v3" }, New: { Path: "../api" } }],
    },
  );
  expect(text).toBe(`module homeostat/assets/etcd

go 1.26.0

require go.etcd.io/etcd/server/v3 v3.6.16
`);
});

test("folders of the module's own repository are replaced by their published versions, other replacements are not", () => {
  const text = wrapperModule(
    "kubectl",
    {
      from: "module",
      module: "k8s.io/kubernetes",
      moduleVersion: "v1.36.3",
      package: "k8s.io/kubernetes/cmd/kubectl",
      stagingVersion: "v0.36.3",
    },
    {
      Go: "1.26.0",
      Godebug: [{ Key: "default", Value: "go1.26" }],
      Replace: [
        { Old: { Path: "k8s.io/api" }, New: { Path: "./staging/src/k8s.io/api" } },
        { Old: { Path: "k8s.io/client-go" }, New: { Path: "./staging/src/k8s.io/client-go" } },
        {
          Old: { Path: "example.org/fork" },
          New: { Path: "example.org/other", Version: "v1.0.0" },
        },
      ],
    },
  );
  expect(text).toBe(`module homeostat/assets/kubectl

go 1.26.0

godebug (
	default=go1.26
)

require k8s.io/kubernetes v1.36.3

replace (
	k8s.io/api => k8s.io/api v0.36.3
	k8s.io/client-go => k8s.io/client-go v0.36.3
)
`);
});
