/**
 * Records what kubectl prints with a real kube-apiserver, which is what it has to print with ours:
 * `node --conditions=@homeostat/source tests/clients/kubectl/record.ts [apply ...]` runs the commands
 * of all transcripts, or of those named, with every kubectl there is, and writes the outputs into them.
 */
import { writeFileSync } from "node:fs";
import { KubeApiserverPeer } from "../../../bench/harness/kube-apiserver-peer.ts";
import { type KubectlProgram, kubectlPrograms } from "./kubectl-programs.ts";
import { KubectlSession } from "./kubectl-session.ts";
import { printTranscript, type Step } from "./transcript.ts";
import { RECORDED_WITH, type Transcript, transcripts } from "./transcripts.ts";

/** The outputs of one kubectl, by transcript. A server of its own, since names are the same. */
async function outputsOf(
  program: KubectlProgram,
  wanted: readonly Transcript[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  await using peer = await KubeApiserverPeer.start({ durable: false });
  const { ca, clientCertificate: cert, clientKey: key } = peer.credentials;
  const outputs = new Map<string, string[]>();
  for (const { name, steps } of wanted) {
    await using session = new KubectlSession(program, { server: peer.url, ca, cert, key });
    await session.enter(name);
    const printed: string[] = [];
    for (const { command } of steps) printed.push(await session.run(command));
    outputs.set(name, printed);
    process.stdout.write(
      `${name}: ${steps.length} commands with kubectl ${program.minorVersion}\n`,
    );
  }
  return outputs;
}

const named = process.argv.slice(2);
const wanted = transcripts().filter(({ name }) => named.length === 0 || named.includes(name));
const recorded = new Map<string, ReadonlyMap<string, readonly string[]>>();
for (const each of kubectlPrograms())
  recorded.set(each.minorVersion, await outputsOf(each, wanted));
const [newest, ...older] = [...recorded];
for (const { name, path, steps } of wanted) {
  const said: Step[] = steps.map(({ remarks, command }, index) => {
    const printed = newest![1].get(name)![index]!;
    const otherwise = new Map(
      older
        .map(([version, outputs]) => [version, outputs.get(name)![index]!] as const)
        .filter(([, other]) => other !== printed),
    );
    return { remarks, command, printed, otherwise };
  });
  writeFileSync(path, printTranscript(said));
}
writeFileSync(RECORDED_WITH, `${JSON.stringify([...recorded.keys()])}\n`);
