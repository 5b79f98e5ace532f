import { expect, test } from "vitest";
import { printAgreementMarkdown } from "./agreement.ts";
import type { Judged } from "./judge-answers.ts";
import { agreementOf, printAgreement, printMissingRules, printProbe } from "./validation-report.ts";

function judged(mutation: string, differences: readonly string[]): Judged {
  const answer = { status: 201, warnings: [], body: { kind: "Pod" } };
  return {
    probe: { variant: "plain", operation: "create", field: "spec.a[0]", mutation, edits: [] },
    sent: { kind: "Pod" },
    expected: answer,
    got: answer,
    differences,
  };
}
const kinds = [
  {
    kind: "pods",
    judged: [
      judged("good", []),
      judged("one", ["- spec.a[0]: Required value"]),
      judged("two", ["- spec.a[1]: Required value", "+ spec.b: Forbidden"]),
    ],
  },
  { kind: "apiservices", judged: [judged("good", [])] },
];

test("agreement is told by kind, by what is asked of the kind, and in sum", () => {
  const table = agreementOf(kinds);
  expect(table.get("pods")).toEqual({ probes: 3, agree: 1 });
  expect(printAgreement(table).split("\n")).toEqual([
    "kind                  probes  agree         ",
    "pods                       3      1   33.3 %",
    "apiservices                1      1  100.0 %",
    "kinds that need 99 %       3      1   33.3 %",
    "kinds that need 95 %       1      1  100.0 %",
    "all kinds                  4      2   50.0 %",
  ]);
  expect(printAgreementMarkdown(table)).toContain("| pods | 3 | 1 | 33.3 % |");
});

test("the most frequent rule comes first, with a probe that shows it", () => {
  const [first, probe] = printMissingRules(kinds, 1).split("\n");
  expect(first).toBe("2 x pods - spec.a[*]: Required value");
  expect(probe).toContain("pods plain create spec.a[0] one");
  expect(printMissingRules(kinds, 1)).toContain("... and 1 more shapes");
});

test("one probe is told whole", () => {
  const text = printProbe("pods", kinds[0]!.judged[2]!);
  expect(text).toContain("pods plain create spec.a[0] two");
  expect(text).toContain("+ spec.b: Forbidden");
});
