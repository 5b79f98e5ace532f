/** Much and large: 5,000 namespaces, objects near and above the limits. */
import { crowd, del, get, patch, post, type Scenario, scenario } from "../scenario.ts";

const mebibyte = 2 ** 20;
const filled = (name: string, bytes: number) =>
  post("configmaps", { metadata: { name }, data: { blob: "x".repeat(bytes) } });

export const limits: readonly Scenario[] = [
  scenario(
    "5,000 namespaces",
    crowd(
      Array.from({ length: 5000 }, (_, i) =>
        post("namespaces", {
          metadata: { name: `\${ns}-${String(i).padStart(4, "0")}`, labels: { of: "${ns}" } },
        }),
      ),
    ),
    get("namespaces", { id: "page", query: { labelSelector: "of=${ns}", limit: "500" } }),
    get("namespaces", {
      query: { labelSelector: "of=${ns}", limit: "500", continue: "${page:continue}" },
    }),
    get("namespaces", {
      query: { labelSelector: "of=${ns}", fieldSelector: "metadata.name=${ns}-4999" },
    }),
    get("namespaces", { query: { labelSelector: "of=${ns}" } }),
  ),
  scenario(
    "an object of 1.4 MiB",
    post("pods", {
      metadata: { name: "a" },
      spec: {
        containers: [{ name: "c", image: "i", args: ["x".repeat(Math.trunc(1.4 * mebibyte))] }],
      },
    }),
    get("pods/a"),
    patch("pods/a", ["merge", { metadata: { labels: { l: "1" } } }]),
    get("pods"),
    del("pods/a"),
  ),
  scenario(
    "maps and secrets have a limit of their own",
    filled("a", mebibyte - 10),
    filled("b", mebibyte),
    filled("c", mebibyte + 1),
    filled("d", 2 * mebibyte),
    post("secrets", { metadata: { name: "e" }, stringData: { s: "x".repeat(mebibyte + 1) } }),
  ),
  scenario("a body above 3 MiB", filled("a", 3 * mebibyte + 1), filled("b", 3 * mebibyte - 4096)),
];
