/** What a server says about itself. */
import { get, type Scenario, scenario } from "../scenario.ts";

const v2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const groups = [
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "apps",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "flowcontrol.apiserver.k8s.io",
  "networking.k8s.io",
  "node.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "resource.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
];

export const discovery: readonly Scenario[] = [
  scenario("roots", get("/api"), get("/apis"), get("/api/"), get("/apis/")),
  scenario("the core group", get("/api/v1"), get("/api/v1/")),
  ...groups.map((group) =>
    scenario(`the group ${group}`, get(`/apis/${group}`), get(`/apis/${group}/v1`)),
  ),
  scenario("the second version of autoscaling", get("/apis/autoscaling/v2")),
  scenario(
    "discovery in one document",
    get("/api", { headers: { accept: v2 } }),
    get("/api", { headers: { accept: `${v2},application/json` } }),
    get("/api", {
      headers: {
        accept:
          "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,application/json",
      },
    }),
  ),
  scenario("version", get("/version"), get("/version/")),
  scenario(
    "health",
    get("/healthz"),
    get("/livez"),
    get("/readyz"),
    get("/healthz/ping"),
    get("/livez/ping"),
    get("/readyz/ping"),
    get("/healthz/nothing"),
    get("/livez", { query: { exclude: "ping" } }),
    get("/readyz/etcd"),
  ),
];
