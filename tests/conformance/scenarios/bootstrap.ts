/** What a new server holds before anybody has written to it. */
import { get, type RequestStep, type Scenario, scenario } from "../scenario.ts";

const bootstrapped = (name: string, ...steps: RequestStep[]): Scenario => ({
  ...scenario(name, ...steps),
  unordered: true,
});

export const bootstrap: readonly Scenario[] = [
  bootstrapped(
    "namespaces",
    ...["default", "kube-system", "kube-public", "kube-node-lease"].map((name) =>
      get(`namespaces/${name}`),
    ),
  ),
  bootstrapped(
    "the API server's own service",
    get("/api/v1/namespaces/default/services/kubernetes"),
    get("/api/v1/namespaces/default/services"),
  ),
  bootstrapped(
    "roles",
    get("clusterroles/cluster-admin"),
    get("clusterrolebindings/cluster-admin"),
    get("clusterroles/view"),
  ),
  bootstrapped(
    "priorities of pods",
    get("priorityclasses/system-cluster-critical"),
    get("priorityclasses/system-node-critical"),
  ),
  bootstrapped("address ranges", get("servicecidrs/kubernetes")),
  bootstrapped(
    "flow control",
    get("flowschemas/exempt"),
    get("prioritylevelconfigurations/global-default"),
  ),
  bootstrapped("API services", get("apiservices/v1."), get("apiservices/v1.apps")),
];
