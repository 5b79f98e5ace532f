import { X509Certificate } from "node:crypto";
import { networkInterfaces } from "node:os";
import { ManualClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { openPlaneCertificates } from "./plane-certificates.ts";

const options = {
  directory: undefined,
  bindAddress: "127.0.0.1",
  serviceRange: "10.96.0.0/12",
  onError: (error: unknown): void => {
    throw error;
  },
};

test("the server answers to the service address, the admin is in the group that may do all", async () => {
  using certificates = await openPlaneCertificates({ ...options, clock: new ManualClock() });
  const server = new X509Certificate(certificates.server.certificate);
  for (const address of ["127.0.0.1", "::1", "10.96.0.1"]) {
    expect(server.checkIP(address)).toBe(address);
  }
  expect(server.checkHost("kubernetes.default.svc.cluster.local")).toBeDefined();
  const admin = new X509Certificate(certificates.admin.certificate);
  expect(admin.subject).toBe("O=system:masters\nCN=kubernetes-admin");
  expect(admin.checkIssued(new X509Certificate(certificates.authority))).toBe(true);
});

test("a server at all addresses is certified for each of the machine's", async () => {
  using certificates = await openPlaneCertificates({
    ...options,
    bindAddress: "::",
    clock: new ManualClock(),
  });
  const server = new X509Certificate(certificates.server.certificate);
  for (const { address } of Object.values(networkInterfaces()).flatMap((each) => each ?? [])) {
    expect(server.checkIP(address)).toBe(address);
  }
});

test("both certificates are replaced while the server runs, and who asked is told", async () => {
  const clock = new ManualClock();
  using certificates = await openPlaneCertificates({ ...options, clock });
  const first = { server: certificates.server, admin: certificates.admin };
  const server = new Promise((resolve) => certificates.onServerRotated(resolve));
  const admin = new Promise((resolve) => certificates.onAdminRotated(resolve));
  await clock.advance("7020h");
  expect(await server).toBe(certificates.server);
  expect(await admin).toBe(certificates.admin);
  expect(certificates.server.certificate).not.toBe(first.server.certificate);
  expect(certificates.admin.certificate).not.toBe(first.admin.certificate);
});
