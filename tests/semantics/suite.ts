import type { OpenPlane } from "./open-for.ts";
import { applySuite } from "./topics/apply.ts";
import { builtInRulesSuite } from "./topics/built-in-rules.ts";
import { customResourcesSuite } from "./topics/custom-resources.ts";
import { deletionSuite } from "./topics/deletion.ts";
import { listsSuite } from "./topics/lists.ts";
import { namespacesSuite } from "./topics/namespaces.ts";
import { patchesSuite } from "./topics/patches.ts";
import { representationSuite } from "./topics/representation.ts";
import { subresourcesSuite } from "./topics/subresources.ts";
import { validationRulesSuite } from "./topics/validation-rules.ts";
import { versionsSuite } from "./topics/versions.ts";
import { watchStartsSuite } from "./topics/watch-starts.ts";
import { watchesSuite } from "./topics/watches.ts";
import { writesSuite } from "./topics/writes.ts";

/** A test for every semantic, each on a plane of its own. */
export function semanticsSuite(open: OpenPlane): void {
  versionsSuite(open);
  watchStartsSuite(open);
  watchesSuite(open);
  listsSuite(open);
  writesSuite(open);
  subresourcesSuite(open);
  patchesSuite(open);
  deletionSuite(open);
  namespacesSuite(open);
  representationSuite(open);
  applySuite(open);
  customResourcesSuite(open);
  validationRulesSuite(open);
  builtInRulesSuite(open);
}
