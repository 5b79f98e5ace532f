/** What `authorizer` is while an expression runs: questions about what a user may do, put together. */
import { type MapValue, type Value } from "@homeostat/cel";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
} from "../../authorization/authorizer.ts";
import {
  AUTHORIZER,
  DECISION,
  GROUP_CHECK,
  PATH_CHECK,
  RESOURCE_CHECK,
} from "./authorizer-types.ts";

/** Has functions but no fields. */
abstract class ReceiverOnly implements MapValue {
  abstract readonly celType: MapValue["celType"];
  readonly size = 0;

  find(_key: Value): Value | undefined {
    return undefined;
  }

  keys(): Iterable<Value> {
    return [];
  }
}

/** Asks for a user. */
export class AuthorizerValue extends ReceiverOnly {
  readonly celType: typeof AUTHORIZER = AUTHORIZER;
  readonly authorizer: Authorizer;
  readonly user: UserInfo;

  constructor(authorizer: Authorizer, user: UserInfo) {
    super();
    this.authorizer = authorizer;
    this.user = user;
  }

  decide(attributes: AccessAttributes): DecisionValue {
    return new DecisionValue(this.authorizer.authorize(this.user, attributes));
  }
}

export class PathCheckValue extends ReceiverOnly {
  readonly celType: typeof PATH_CHECK = PATH_CHECK;
  readonly #asker: AuthorizerValue;
  readonly #path: string;

  constructor(asker: AuthorizerValue, path: string) {
    super();
    this.#asker = asker;
    this.#path = path;
  }

  check(verb: string): DecisionValue {
    return this.#asker.decide({ kind: "path", verb, path: this.#path });
  }
}

export class GroupCheckValue extends ReceiverOnly {
  readonly celType: typeof GROUP_CHECK = GROUP_CHECK;
  readonly asker: AuthorizerValue;
  readonly group: string;

  constructor(asker: AuthorizerValue, group: string) {
    super();
    this.asker = asker;
    this.group = group;
  }
}

/** What is asked about, beside the verb. */
export interface CheckedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export class ResourceCheckValue extends ReceiverOnly {
  readonly celType: typeof RESOURCE_CHECK = RESOURCE_CHECK;
  readonly #asker: AuthorizerValue;
  readonly #about: CheckedResource;

  constructor(asker: AuthorizerValue, about: CheckedResource) {
    super();
    this.#asker = asker;
    this.#about = about;
  }

  with(narrowed: Partial<CheckedResource>): ResourceCheckValue {
    return new ResourceCheckValue(this.#asker, { ...this.#about, ...narrowed });
  }

  check(verb: string): DecisionValue {
    return this.#asker.decide({ kind: "resource", verb, version: "*", ...this.#about });
  }
}

export class DecisionValue extends ReceiverOnly {
  readonly celType: typeof DECISION = DECISION;
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }
}
