/** Asks a real kube-apiserver and keeps what it answers. */
import { openPeerTarget } from "../peer-target.ts";
import type { Target } from "../target.ts";
import { type AskedProbe, askProbes, prepareTarget } from "./ask-probes.ts";
import { checkUnique, deriveProbes } from "./derive-probes.ts";
import { type Probe, type ProbedKind, probeId } from "./probe.ts";
import { writeValidationFixture } from "./validation-fixtures.ts";

export function askPeer(
  kind: ProbedKind,
  probes: readonly Probe[],
  target: Target,
): Promise<AskedProbe[]> {
  return askProbes(kind, probes, { target, inFlight: 50, repeat: true, settling: "1500ms" });
}

export async function recordAnswers(
  kinds: readonly ProbedKind[],
  print: (text: string) => void,
): Promise<void> {
  await using peer = await openPeerTarget();
  await prepareTarget(peer);
  for (const kind of kinds) {
    const probes = deriveProbes(kind);
    checkUnique(probes);
    const all = await askPeer(kind, probes, peer);
    const asked = all.filter(({ answer }) => answer.status > 0);
    await writeValidationFixture(kind.name, asked);
    const refused = all.filter(
      ({ probe, answer }) =>
        answer.status === 0 || (probe.mutation === "base" && answer.status >= 300),
    );
    print(`${kind.name}: ${asked.length} probes recorded`);
    for (const { probe, answer } of refused) {
      print(`  ${probeId(kind.name, probe)}: refused: ${JSON.stringify(answer.body)}`);
    }
  }
}
