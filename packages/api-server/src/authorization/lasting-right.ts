import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { AccessAttributes, Authorization } from "./authorizer.ts";

/** Something that was permitted and goes on for a while: a watch, a connection. */
export interface LastingRight {
  /** Whether it may go on. Costs next to nothing while no right has changed. */
  readonly holds: boolean;
}

/** The right that was just granted. Asked for again only after something changed. */
export function lastingRight(
  authorizer: Authorization,
  user: UserInfo,
  attributes: AccessAttributes,
): LastingRight {
  let asked = authorizer.changes;
  let holds = true;
  return {
    get holds() {
      if (holds && asked !== authorizer.changes) {
        asked = authorizer.changes;
        holds = authorizer.authorize(user, attributes).allowed;
      }
      return holds;
    },
  };
}
