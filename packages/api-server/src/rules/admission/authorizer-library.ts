import {
  BOOL,
  Failure,
  type FunctionDeclaration,
  type Library,
  type Overload,
  STRING,
  type Type,
  type Value,
} from "@homeostat/cel";
import { checkDns1123Label, checkDns1123Subdomain } from "@homeostat/object-model";
import {
  AUTHORIZER,
  DECISION,
  GROUP_CHECK,
  PATH_CHECK,
  RESOURCE_CHECK,
} from "./authorizer-types.ts";
import {
  AuthorizerValue,
  type CheckedResource,
  type DecisionValue,
  GroupCheckValue,
  PathCheckValue,
  ResourceCheckValue,
} from "./authorizer-values.ts";

/** Two questions are as much as one expression may ask. */
const CHECK_COST = 350_000;
const SELECTOR_COST = 10;
const REQUIREMENT_COST = 50;
const COST_PER_CHARACTER = 0.1;

interface MemberOptions {
  readonly params: readonly Type[];
  readonly result: Type;
  readonly call: (args: readonly Value[]) => Value;
  readonly cost?: number;
}

function member(id: string, { params, result, call, cost = 1 }: MemberOptions): Overload {
  const range = { min: cost, max: cost };
  return {
    id,
    member: true,
    params,
    result,
    call,
    cost: () => cost,
    estimate: () => ({ cost: range }),
  };
}

/**
 * `authorizer.group('apps').resource('deployments').check('create').allowed()`: what expressions may
 * ask of the authorizer.
 */
export const AUTHORIZER_LIBRARY: Library = {
  name: "kubernetes.authz",
  functions: [
    only("path", "authorizer_path", {
      params: [AUTHORIZER, STRING],
      result: PATH_CHECK,
      call: ([asker, path]) =>
        (path as string).trim() === ""
          ? new Failure("path must not be empty")
          : new PathCheckValue(asker as AuthorizerValue, path as string),
    }),
    only("group", "authorizer_group", {
      params: [AUTHORIZER, STRING],
      result: GROUP_CHECK,
      call: ([asker, group]) => new GroupCheckValue(asker as AuthorizerValue, group as string),
    }),
    only("serviceAccount", "authorizer_serviceaccount", {
      params: [AUTHORIZER, STRING, STRING],
      result: AUTHORIZER,
      call: ([asker, namespace, name]) =>
        asServiceAccount(asker as AuthorizerValue, namespace as string, name as string),
    }),
    only("resource", "groupcheck_resource", {
      params: [GROUP_CHECK, STRING],
      result: RESOURCE_CHECK,
      call: ([group, resource]) => resourceOf(group as GroupCheckValue, resource as string),
    }),
    narrowing("subresource", "resourcecheck_subresource"),
    narrowing("namespace", "resourcecheck_namespace"),
    narrowing("name", "resourcecheck_name"),
    // What RBAC decides does not go by selectors.
    selecting("fieldSelector", "authorizer_fieldselector"),
    selecting("labelSelector", "authorizer_labelselector"),
    {
      name: "check",
      overloads: [
        member("pathcheck_check", {
          params: [PATH_CHECK, STRING],
          result: DECISION,
          call: ([check, verb]) => (check as PathCheckValue).check(verb as string),
          cost: CHECK_COST,
        }),
        member("resourcecheck_check", {
          params: [RESOURCE_CHECK, STRING],
          result: DECISION,
          call: ([check, verb]) => (check as ResourceCheckValue).check(verb as string),
          cost: CHECK_COST,
        }),
      ],
    },
    answering("errored", "decision_errored", BOOL, () => false),
    answering("error", "decision_error", STRING, () => ""),
    answering("allowed", "decision_allowed", BOOL, ({ decision }) => decision.allowed),
    answering("reason", "decision_reason", STRING, ({ decision }) => decision.reason),
  ],
};

function only(name: string, id: string, options: MemberOptions): FunctionDeclaration {
  return { name, overloads: [member(id, options)] };
}

function narrowing(name: keyof CheckedResource, id: string): FunctionDeclaration {
  return only(name, id, {
    params: [RESOURCE_CHECK, STRING],
    result: RESOURCE_CHECK,
    call: ([check, value]) => (check as ResourceCheckValue).with({ [name]: value as string }),
  });
}

function selecting(name: string, id: string): FunctionDeclaration {
  const overload = member(id, {
    params: [RESOURCE_CHECK, STRING],
    result: RESOURCE_CHECK,
    call: ([check]) => check!,
  });
  const cost = ([, text]: readonly Value[]): number =>
    selectorCost(typeof text === "string" ? Array.from(text).length : 1);
  return { name, overloads: [{ ...overload, cost }] };
}

function answering(
  name: string,
  id: string,
  ...[result, answer]: readonly [Type, (decision: DecisionValue) => Value]
): FunctionDeclaration {
  const call = ([decision]: readonly Value[]): Value => answer(decision as DecisionValue);
  return only(name, id, { params: [DECISION], result, call });
}

function asServiceAccount(asker: AuthorizerValue, namespace: string, name: string): Value {
  if (checkDns1123Subdomain(name).length > 0) return new Failure("Invalid service account name");
  if (checkDns1123Label(namespace).length > 0) {
    return new Failure("Invalid service account namespace");
  }
  return new AuthorizerValue(asker.authorizer, {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  });
}

function resourceOf({ asker, group }: GroupCheckValue, resource: string): Value {
  if (resource.trim() === "") return new Failure("resource must not be empty");
  const about = { group, resource, subresource: "", namespace: "", name: "" };
  return new ResourceCheckValue(asker, about);
}

/** A selector has a requirement for every two characters at most. */
function selectorCost(length: number): number {
  const requirements = Math.ceil(length / 2);
  return SELECTOR_COST + Math.ceil(length * COST_PER_CHARACTER) + requirements * REQUIREMENT_COST;
}
