/** Containers of every sort: init, ordinary, sidecar, ephemeral; and what they hold. */
import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  FileKeySelector,
  GRPCAction,
  HTTPGetAction,
  ObjectFieldSelector,
  Probe,
  ResourceRequirements,
} from "@homeostat/object-model/core-v1";
import { imagePullPolicyOf } from "./image-pull-policy.ts";
import { type NamedTypeRules, rulesFor, type TypeRules } from "./type-rules.ts";

/** The same for both: an ephemeral container has a container's fields, and one more. */
const anyContainer: TypeRules<Container> = {
  defaults: {
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  },
  setDefaults(container) {
    container.imagePullPolicy ||= imagePullPolicyOf(container.image);
  },
};

export const containerRules: readonly NamedTypeRules[] = [
  rulesFor<Container>("core.v1.Container", anyContainer),
  rulesFor<EphemeralContainer>("core.v1.EphemeralContainer", anyContainer),
  rulesFor<ContainerPort>("core.v1.ContainerPort", { defaults: { protocol: "TCP" } }),
  rulesFor<ResourceRequirements>("core.v1.ResourceRequirements", {
    resourceLists: ["limits", "requests"],
  }),
  rulesFor<Probe>("core.v1.Probe", {
    defaults: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  }),
  rulesFor<HTTPGetAction>("core.v1.HTTPGetAction", { defaults: { path: "/", scheme: "HTTP" } }),
  rulesFor<GRPCAction>("core.v1.GRPCAction", { defaults: { service: "" } }),
  rulesFor<ObjectFieldSelector>("core.v1.ObjectFieldSelector", { defaults: { apiVersion: "v1" } }),
  rulesFor<FileKeySelector>("core.v1.FileKeySelector", { defaults: { optional: false } }),
];
