import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer, type TLSSocket } from "node:tls";
import { ManualClock, seededRandom } from "@homeostat/concurrency";
import { expect, onTestFinished, test } from "vitest";
import type { Authority } from "./authority.ts";
import { CertificateDirectoryError, CertificateFileError } from "./certificate-error.ts";
import type { CertificateRequest } from "./certificate-request.ts";
import type { Leaf } from "./leaf.ts";
import { openAuthority } from "./open-authority.ts";
import { serverNames } from "./server-names.ts";

const DAY = 86_400_000;

const serverRequest = {
  usage: "server",
  subject: { commonName: "kube-apiserver" },
  names: serverNames({ serviceAddress: "10.0.0.1", hostName: "Edge-1.lan" }),
} satisfies CertificateRequest;

const adminRequest = {
  usage: "client",
  subject: { commonName: "kubernetes-admin", organizations: ["system:masters"] },
} satisfies CertificateRequest;

function newDirectory(): string {
  const parent = mkdtempSync(join(tmpdir(), "certificates-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, "pki");
}

/** A handshake that both sides verify; what each saw of the other, and what the server minds. */
async function shakeHands(parties: {
  authority: Authority;
  server: Leaf;
  client: Leaf;
  host: string;
}): Promise<{ peer: string; user: string; groups: string; refusal: string | undefined }> {
  const ca = parties.authority.certificate;
  const server = createServer({
    ca,
    cert: parties.server.certificate,
    key: parties.server.key,
    requestCert: true,
    rejectUnauthorized: false,
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "secureConnection");
  const client = connect({
    ca,
    cert: parties.client.certificate,
    key: parties.client.key,
    port: (server.address() as AddressInfo).port,
    host: "127.0.0.1",
    servername: parties.host,
  });
  onTestFinished(() => void client.destroy());
  client.on("error", () => undefined);
  await Promise.race([
    once(client, "secureConnect"),
    once(client, "error").then(([error]) => Promise.reject(error as Error)),
  ]);
  const [socket] = (await accepted) as [TLSSocket];
  const { subject } = socket.getPeerCertificate();
  const seen = {
    peer: String(client.getPeerCertificate().subject.CN),
    user: String(subject.CN),
    groups: String(subject.O),
    refusal: socket.authorized ? undefined : String(socket.authorizationError),
  };
  socket.destroy();
  return seen;
}

test("server and client verify each other over TLS", async () => {
  const authority = await openAuthority({ keptIn: "memory" });
  const [server, client] = await Promise.all([
    authority.issue(serverRequest),
    authority.issue(adminRequest),
  ]);
  for (const host of ["localhost", "kubernetes.default.svc", "edge-1.lan"]) {
    expect(await shakeHands({ authority, server, client, host })).toEqual({
      peer: "kube-apiserver",
      user: "kubernetes-admin",
      groups: "system:masters",
      refusal: undefined,
    });
  }
});

test("a name the certificate does not have is refused by the client", async () => {
  const authority = await openAuthority({ keptIn: "memory" });
  const server = await authority.issue(serverRequest);
  const client = await authority.issue(adminRequest);
  await expect(
    shakeHands({ authority, server, client, host: "elsewhere.example" }),
  ).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
});

test("a client certificate of another authority is refused by the server", async () => {
  const authority = await openAuthority({ keptIn: "memory" });
  const server = await authority.issue(serverRequest);
  const stranger = await (await openAuthority({ keptIn: "memory" })).issue(adminRequest);
  const seen = await shakeHands({ authority, server, client: stranger, host: "localhost" });
  expect(seen.refusal).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
});

test("a server certificate does not serve as a client's", async () => {
  const authority = await openAuthority({ keptIn: "memory" });
  const server = await authority.issue(serverRequest);
  const seen = await shakeHands({ authority, server, client: server, host: "localhost" });
  expect(seen.refusal).toBe("INVALID_PURPOSE");
});

test("a server certificate has the names of an API server, and addresses", async () => {
  const authority = await openAuthority({ keptIn: "memory" });
  const { certificate } = await authority.issue(serverRequest);
  expect(new X509Certificate(certificate).subjectAltName?.split(", ")).toEqual([
    "DNS:localhost",
    "DNS:kubernetes",
    "DNS:kubernetes.default",
    "DNS:kubernetes.default.svc",
    "DNS:kubernetes.default.svc.cluster.local",
    "DNS:edge-1.lan",
    "IP Address:127.0.0.1",
    "IP Address:0:0:0:0:0:0:0:1",
    "IP Address:10.0.0.1",
  ]);
});

test("a host name that is no DNS name is left out", () => {
  expect(serverNames({ serviceAddress: "10.0.0.1", hostName: "my_laptop" })).not.toContain(
    "my_laptop",
  );
});

test("serial numbers come from the injected chance", async () => {
  const serials = async (): Promise<string[]> => {
    const authority = await openAuthority({ keptIn: "memory", random: seededRandom(7) });
    const leaf = await authority.issue(adminRequest);
    return [authority.certificate, leaf.certificate].map(
      (pem) => new X509Certificate(pem).serialNumber,
    );
  };
  const [first, second] = await Promise.all([serials(), serials()]);
  expect(first).toEqual(second);
  expect(first[0]).not.toBe(first[1]);
});

const hasOpenssl = ((): boolean => {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasOpenssl)("openssl verifies the chain, strictly, for its purpose only", async () => {
  const directory = newDirectory();
  const authority = await openAuthority({ keptIn: { directory } });
  using server = await authority.keep({ name: "server", ...serverRequest });
  using client = await authority.keep({ name: "client", ...adminRequest });
  expect(server.current.certificate).not.toBe(client.current.certificate);
  const verify = (name: string, purpose: string): string =>
    execFileSync(
      "openssl",
      [
        "verify",
        "-x509_strict",
        "-purpose",
        purpose,
        "-CAfile",
        join(directory, "ca.crt"),
        join(directory, `${name}.pem`),
      ],
      { encoding: "utf8", stdio: "pipe" },
    );
  expect(verify("server", "sslserver")).toContain("OK");
  expect(verify("client", "sslclient")).toContain("OK");
  expect(() => verify("client", "sslserver")).toThrow("unsuitable certificate purpose");
});

test("a restart finds the same authority and the same leaf; keys are for their owner alone", async () => {
  const directory = newDirectory();
  const first = await openAuthority({ keptIn: { directory } });
  using leaf = await first.keep({ name: "server", ...serverRequest });
  const second = await openAuthority({ keptIn: { directory } });
  using again = await second.keep({ name: "server", ...serverRequest });
  expect(second.certificate).toBe(first.certificate);
  expect(again.current).toEqual(leaf.current);
  expect(readdirSync(directory).sort()).toEqual(["ca.crt", "ca.key", "server.pem"]);
  for (const file of ["ca.key", "server.pem"]) {
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  }
  expect(readdirSync(join(directory, ".."))).toEqual(["pki"]);
});

test("an empty directory is where an authority may be made", async () => {
  const directory = newDirectory();
  mkdirSync(directory);
  const authority = await openAuthority({ keptIn: { directory } });
  expect(readFileSync(join(directory, "ca.crt"), "utf8")).toBe(authority.certificate);
});

test("other names or another subject make a new leaf", async () => {
  const directory = newDirectory();
  const authority = await openAuthority({ keptIn: { directory } });
  const keep = async (request: CertificateRequest): Promise<string> => {
    using leaf = await authority.keep({ name: "server", ...request });
    return leaf.current.certificate;
  };
  const names = ["localhost", "127.0.0.1"];
  const first = await keep({ ...serverRequest, names });
  expect(await keep({ ...serverRequest, names: names.toReversed() })).toBe(first);
  const more = await keep({ ...serverRequest, names: [...names, "::1"] });
  expect(more).not.toBe(first);
  const fewer = await keep({ ...serverRequest, names: ["localhost"] });
  expect(fewer).not.toBe(more);
  const other = await keep({ ...serverRequest, names: ["localhosts"] });
  expect(other).not.toBe(fewer);
  const renamed = await keep({
    ...serverRequest,
    names: ["localhosts"],
    subject: { commonName: "b" },
  });
  expect(renamed).not.toBe(other);
});

/** Waits for real work (loading code, writing files) that a manual clock does not wait for. */
function rotations(): { onRotate: (leaf: Leaf) => void; next(): Promise<Leaf>; count: number } {
  let resolve: (leaf: Leaf) => void = () => undefined;
  let promise = new Promise<Leaf>((done) => (resolve = done));
  return {
    count: 0,
    onRotate(leaf) {
      this.count += 1;
      resolve(leaf);
      promise = new Promise((done) => (resolve = done));
    },
    next: () => promise,
  };
}

test("a leaf is replaced when four fifths of its life are over, not before, and on disk too", async () => {
  const clock = new ManualClock();
  const directory = newDirectory();
  const seen = rotations();
  const authority = await openAuthority({ keptIn: { directory }, clock });
  using leaf = await authority.keep({
    name: "server",
    ...serverRequest,
    onRotate: (each) => seen.onRotate(each),
  });
  const first = leaf.current;
  await clock.advance(291 * DAY);
  expect(leaf.current).toBe(first);
  const rotated = seen.next();
  await clock.advance(1 * DAY);
  expect(await rotated).toBe(leaf.current);
  expect(leaf.current.notAfter).toBeGreaterThan(first.notAfter);
  expect(readFileSync(join(directory, "server.pem"), "utf8")).toContain(leaf.current.certificate);
  const again = seen.next();
  await clock.advance(293 * DAY);
  expect((await again).notAfter).toBeGreaterThan(clock.now() + 300 * DAY);
  expect(seen.count).toBe(2);
});

test("a clock put back a little changes nothing, put back further makes a leaf that holds then and later", async () => {
  const clock = new ManualClock();
  const seen = rotations();
  const authority = await openAuthority({ keptIn: "memory", clock });
  using leaf = await authority.keep({
    name: "server",
    ...serverRequest,
    onRotate: (each) => seen.onRotate(each),
  });
  const first = leaf.current;
  clock.step(-3_600_000);
  await clock.advance("2h");
  expect(leaf.current).toBe(first);
  clock.step(-100 * DAY);
  const rotated = seen.next();
  await clock.advance("1h");
  const early = await rotated;
  expect(early.notBefore).toBeLessThan(clock.now());
  expect(early.notAfter).toBe(first.notAfter);
  expect(new X509Certificate(authority.certificate).validFromDate.getTime()).toBeLessThan(
    clock.now(),
  );
});

test("a clock put forward over the end is noticed within the hour", async () => {
  const clock = new ManualClock();
  const seen = rotations();
  const authority = await openAuthority({ keptIn: "memory", clock });
  using leaf = await authority.keep({
    name: "server",
    ...serverRequest,
    onRotate: (each) => seen.onRotate(each),
  });
  clock.step(400 * DAY);
  const rotated = seen.next();
  await clock.advance("1h");
  expect((await rotated).notAfter).toBeGreaterThan(clock.now());
  expect(leaf.current.notAfter).toBeGreaterThan(clock.now());
});

test("an old authority signs itself anew with the same key: old leaves stay valid", async () => {
  const clock = new ManualClock();
  const directory = newDirectory();
  const first = await openAuthority({ keptIn: { directory }, clock });
  const old = await first.issue(serverRequest);
  const key = readFileSync(join(directory, "ca.key"), "utf8");
  clock.step(3000 * DAY);
  const second = await openAuthority({ keptIn: { directory }, clock });
  expect(second.certificate).not.toBe(first.certificate);
  expect(readFileSync(join(directory, "ca.key"), "utf8")).toBe(key);
  expect(readFileSync(join(directory, "ca.crt"), "utf8")).toBe(second.certificate);
  const renewed = new X509Certificate(second.certificate);
  expect(new X509Certificate(old.certificate).checkIssued(renewed)).toBe(true);
  expect(new X509Certificate(old.certificate).verify(renewed.publicKey)).toBe(true);
  expect(renewed.validToDate.getTime()).toBeGreaterThan(clock.now() + 3600 * DAY);
});

test("a leaf that cannot be stored is told about and tried again; the old one stays", async () => {
  const clock = new ManualClock();
  const directory = newDirectory();
  const authority = await openAuthority({ keptIn: { directory }, clock });
  const seen = rotations();
  let failed: (error: unknown) => void = () => undefined;
  const failure = new Promise((done) => (failed = done));
  using leaf = await authority.keep({
    name: "server",
    ...serverRequest,
    onRotate: (each) => seen.onRotate(each),
    onError: failed,
  });
  const first = leaf.current;
  rmSync(directory, { recursive: true });
  await clock.advance(292 * DAY);
  expect(await failure).toBeInstanceOf(CertificateDirectoryError);
  expect(leaf.current).toBe(first);
  mkdirSync(directory);
  const rotated = seen.next();
  await clock.advance("1h");
  expect(await rotated).toBe(leaf.current);
});

test("what is disposed of leaves no timer", async () => {
  const clock = new ManualClock();
  const authority = await openAuthority({ keptIn: "memory", clock });
  const leaf = await authority.keep({ name: "server", ...serverRequest });
  expect(clock.pending).toBe(1);
  leaf[Symbol.dispose]();
  expect(clock.pending).toBe(0);
});

interface Breakage {
  readonly what: string;
  readonly breakIt: (directory: string) => void;
  readonly file: string;
  readonly problem: string;
}

const breakages: Breakage[] = [
  {
    what: "a missing certificate",
    breakIt: (directory) => rmSync(join(directory, "ca.crt")),
    file: "ca.crt",
    problem: "is missing",
  },
  {
    what: "a missing key",
    breakIt: (directory) => rmSync(join(directory, "ca.key")),
    file: "ca.key",
    problem: "is missing",
  },
  {
    what: "a leaf whose authority is gone",
    breakIt: (directory) => {
      rmSync(join(directory, "ca.crt"));
      rmSync(join(directory, "ca.key"));
    },
    file: "ca.crt",
    problem: "is missing",
  },
  {
    what: "an empty certificate",
    breakIt: (directory) => writeFileSync(join(directory, "ca.crt"), ""),
    file: "ca.crt",
    problem: "is damaged",
  },
  {
    what: "a damaged key",
    breakIt: (directory) => writeFileSync(join(directory, "ca.key"), "no key"),
    file: "ca.key",
    problem: "is damaged",
  },
  {
    what: "a leaf in the place of the authority",
    breakIt: (directory) => copyLeaf(directory, "ca.crt"),
    file: "ca.crt",
    problem: "is not the certificate of an authority",
  },
  {
    what: "the key of a leaf in the place of the authority's",
    breakIt: (directory) => copyLeaf(directory, "ca.key"),
    file: "ca.key",
    problem: "does not belong to",
  },
];

function copyLeaf(directory: string, to: string): void {
  writeFileSync(join(directory, to), readFileSync(join(directory, "server.pem")));
}

function contentOf(directory: string): [string, string][] {
  return readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]);
}

test.each(breakages)(
  "$what is told by name, with what to do, and nothing is changed",
  async ({ breakIt, file, problem }) => {
    const directory = newDirectory();
    const authority = await openAuthority({ keptIn: { directory } });
    using leaf = await authority.keep({ name: "server", ...serverRequest });
    expect(leaf.current.key).toContain("PRIVATE KEY");
    breakIt(directory);
    const before = contentOf(directory);
    const error: unknown = await openAuthority({ keptIn: { directory } }).catch(
      (each: unknown) => each,
    );
    expect(error).toBeInstanceOf(CertificateFileError);
    expect((error as CertificateFileError).file).toBe(join(directory, file));
    expect((error as Error).message).toContain(`${join(directory, file)} ${problem}`);
    expect((error as Error).message).toContain(`or remove ${directory} to make a new authority`);
    expect(contentOf(directory)).toEqual(before);
  },
);

test("a damaged leaf, or one of another authority, is named and not replaced", async () => {
  const directory = newDirectory();
  const authority = await openAuthority({ keptIn: { directory } });
  const file = join(directory, "server.pem");
  const keep = async (): Promise<void> => {
    using leaf = await authority.keep({ name: "server", ...serverRequest });
    expect(leaf.current.certificate).toContain("CERTIFICATE");
  };
  await keep();
  const good = readFileSync(file, "utf8");
  const stranger = await (await openAuthority({ keptIn: "memory" })).issue(serverRequest);
  const other = await authority.issue(serverRequest);
  for (const [text, problem] of [
    ["", 'holds no PEM block "CERTIFICATE"'],
    [good.slice(0, 200), 'holds no PEM block "CERTIFICATE"'],
    [good.replace("-----\nM", "-----\nA"), "is damaged"],
    [stranger.certificate + stranger.key, "was signed by another authority"],
    [stranger.certificate + other.key, "holds a key that does not belong to its certificate"],
  ] as const) {
    writeFileSync(file, text);
    await expect(keep()).rejects.toThrow(`${file} ${problem}`);
    await expect(keep()).rejects.toThrow("remove it, and the next start makes a new one");
    expect(readFileSync(file, "utf8")).toBe(text);
  }
  rmSync(file);
  await keep();
  expect(existsSync(file)).toBe(true);
});

test("a directory that cannot be made is named", async () => {
  const parent = mkdtempSync(join(tmpdir(), "certificates-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  await expect(
    openAuthority({ keptIn: { directory: join(parent, "missing", "pki") } }),
  ).rejects.toThrow(CertificateDirectoryError);
});
