import { expect, test } from "vitest";
import { rulesOfUser } from "./rules-of-user.ts";

const PUBLIC = {
  verbs: ["get"],
  nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"],
};

test("members of system:masters may do everything", () => {
  const { resourceRules, nonResourceRules, incomplete } = rulesOfUser({
    groups: ["system:masters"],
  });
  expect(resourceRules).toContainEqual({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] });
  expect(nonResourceRules).toContainEqual({ verbs: ["*"], nonResourceURLs: ["*"] });
  expect(incomplete).toBe(false);
});

test("others may see what is public", () => {
  expect(rulesOfUser({})).toEqual({
    resourceRules: [],
    nonResourceRules: [PUBLIC],
    incomplete: false,
  });
});
