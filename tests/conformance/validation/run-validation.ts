/** The `validation` action: which kinds, which side is live, and what is printed or written. */
import { openDoorTarget } from "../embedded-target.ts";
import { openPeerTarget } from "../peer-target.ts";
import type { Target } from "../target.ts";
import { printAgreementMarkdown, readAgreement, writeAgreement } from "./agreement.ts";
import { type AskedProbe, askProbes, prepareTarget } from "./ask-probes.ts";
import { deriveProbes } from "./derive-probes.ts";
import { differencesOf, type Judged } from "./judge-answers.ts";
import { probedKinds } from "./kinds.ts";
import { AnswerPacker, AnswerUnpacker } from "./pack-answers.ts";
import { type Probe, type ProbedKind, probeId } from "./probe.ts";
import { askPeer, recordAnswers } from "./record-answers.ts";
import { readValidationFixture } from "./validation-fixtures.ts";
import {
  agreementOf,
  type JudgedKind,
  printAgreement,
  printMissingRules,
  printProbe,
} from "./validation-report.ts";

export interface ValidationCommand {
  /** Empty: all. */
  readonly kinds: readonly string[];
  readonly show: number;
  /** The id of the one probe to print. */
  readonly probe: string | undefined;
  readonly recorded: boolean;
  readonly record: boolean;
  readonly recordAgreement: boolean;
  readonly markdown: boolean;
}

/** A kind or probe that does not exist was asked for. */
export class UnknownProbeError extends Error {
  readonly code = "unknown-probe";
}

export async function runValidation(
  command: ValidationCommand,
  print: (text: string) => void,
): Promise<number> {
  if (command.markdown) {
    print(printAgreementMarkdown(await readAgreement()));
    return 0;
  }
  const wanted = command.probe === undefined ? command.kinds : [command.probe.split(" ")[0]!];
  const kinds = chooseKinds(wanted);
  if (command.record) {
    await recordAnswers(kinds, print);
    return 0;
  }
  const judged = await judgeAll(kinds, command);
  if (command.probe !== undefined) return showProbe(judged[0]!, command.probe, print);
  const table = agreementOf(judged);
  print(`${printMissingRules(judged, command.show)}\n\n${printAgreement(table)}`);
  const kept = await readAgreement();
  if (command.recordAgreement) {
    const known = new Map([...kept, ...table]);
    const names = probedKinds.map(({ name }) => name).filter((name) => known.has(name));
    await writeAgreement(new Map(names.map((name) => [name, known.get(name)!])));
    return 0;
  }
  const fallen = [...table].filter(([kind, { agree }]) => agree < (kept.get(kind)?.agree ?? 0));
  for (const [kind, { agree }] of fallen) {
    print(`${kind}: ${kept.get(kind)!.agree} probes agreed before, ${agree} do now`);
  }
  return fallen.length === 0 ? 0 : 1;
}

export function chooseKinds(names: readonly string[]): ProbedKind[] {
  const unknown = names.find((name) => !probedKinds.some((kind) => kind.name === name));
  if (unknown !== undefined) {
    const known = probedKinds.map(({ name }) => name).join(", ");
    throw new UnknownProbeError(`no kind "${unknown}" is probed; expected one of: ${known}`);
  }
  return probedKinds.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function judgeAll(
  kinds: readonly ProbedKind[],
  { recorded }: ValidationCommand,
): Promise<JudgedKind[]> {
  await using ours = await openDoorTarget();
  await prepareTarget(ours);
  await using peer = recorded ? undefined : await openPeerTarget();
  if (peer !== undefined) await prepareTarget(peer);
  const all: JudgedKind[] = [];
  for (const kind of kinds) {
    const judged =
      peer === undefined ? await judgeRecorded(kind, ours) : await judgeLive(kind, { ours, peer });
    all.push({ kind: kind.name, judged });
  }
  return all;
}

/** Against the recorded answers; a probe that has none is left out. */
export async function judgeRecorded(kind: ProbedKind, ours: Target): Promise<Judged[]> {
  const probes = deriveProbes(kind);
  const fixture = await readValidationFixture(kind.name, probes);
  if (fixture === undefined) return [];
  const asked = await askOurs(
    kind,
    fixture.answers.map(({ probe }) => probe),
    ours,
  );
  const unpacker = new AnswerUnpacker(fixture);
  return asked.map((each, i) => {
    const expected = unpacker.unpack(each, fixture.answers[i]!.packed);
    return judge(each, expected);
  });
}

/** As if it were recorded first. What kube-apiserver gave no answer to is left out. */
async function judgeLive(
  kind: ProbedKind,
  { ours, peer }: { ours: Target; peer: Target },
): Promise<Judged[]> {
  const all = await askPeer(kind, deriveProbes(kind), peer);
  const expected = all.filter(({ answer }) => answer.status > 0);
  const packer = new AnswerPacker();
  const answers = expected.map((each) => ({ probe: each.probe, packed: packer.pack(each) }));
  const unpacker = new AnswerUnpacker({ texts: packer.texts, answers });
  const probes = expected.map(({ probe }) => probe);
  const got = await askOurs(kind, probes, ours);
  return got.map((each, i) => {
    const { managedFields } = expected[i]!.answer;
    const answer = unpacker.unpack(each, answers[i]!.packed);
    return judge(each, { ...answer, ...(managedFields !== undefined && { managedFields }) });
  });
}

function judge({ probe, sent, answer }: AskedProbe, expected: AskedProbe["answer"]): Judged {
  const differences = differencesOf(expected, answer);
  return { probe, sent, expected, got: answer, differences };
}

function askOurs(
  kind: ProbedKind,
  probes: readonly Probe[],
  target: Target,
): Promise<AskedProbe[]> {
  return askProbes(kind, probes, { target, inFlight: 8, repeat: false, settling: "100ms" });
}

function showProbe(
  { kind, judged }: JudgedKind,
  id: string,
  print: (text: string) => void,
): number {
  const found = judged.find(({ probe }) => probeId(kind, probe) === id);
  if (found === undefined) throw new UnknownProbeError(`no probe "${id}" is recorded`);
  print(printProbe(kind, found));
  return found.differences.length === 0 ? 0 : 1;
}
