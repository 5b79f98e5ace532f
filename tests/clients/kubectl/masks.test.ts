import { expect, test } from "vitest";
import { mask } from "./masks.ts";

const places = { server: "https://127.0.0.1:6443", folder: "/tmp/homeostat-1" };

test.for([
  ["web   1/1     Running   0          12s", "web   1/1   Running   0   AGE"],
  [
    "web   1/1     Running   2 (5m3s ago)   3h2m   10.0.0.7",
    "web   1/1   Running   2 (AGE ago)   AGE   IP",
  ],
  ["      cpu:     250m", "      cpu:   250m"],
  ["    livenessProbe: delay=0s timeout=1s", "    livenessProbe: delay=0s timeout=1s"],
  ["-        image: web:1", "-        image: web:1"],
  ['time: "2026-01-02T03:04:05Z"', 'time: "TIME"'],
  ["80:31234/TCP", "80:PORT/TCP"],
  ['"resourceVersion": "81"', '"resourceVersion": "RV"'],
  ["running at https://127.0.0.1:6443/", "running at SERVER/"],
  ["/tmp/homeostat-1/LIVE-1234/v1.ConfigMap", "FOLDER/LIVE-N/v1.ConfigMap"],
  ["uid: 2f0b5a3e-6b4a-4a2e-9a55-0c1d2e3f4a5b", "uid: UID"],
] as const)("%s", ([printed, masked]) => {
  expect(mask(printed, places)).toBe(masked);
});
