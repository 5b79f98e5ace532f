import {
  ApiError,
  equalJson,
  type JsonObject,
  type KubernetesObject,
} from "@homeostat/object-model";
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicySpec,
} from "@homeostat/object-model/admissionregistration-v1";
import { ObjectDecodeError } from "../../codec/object-decode-error.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "../admission.ts";
import { admissionBindings } from "../expressions/admission-bindings.ts";
import {
  type AdmissionAttributes,
  admissionAttributes,
  type MatchedResource,
} from "../matching/admission-attributes.ts";
import { codecOf, printIn, readIn } from "../matching/versioned-change.ts";
import { MutationRounds } from "../mutation-rounds.ts";
import { forbidden } from "../refusal.ts";
import { type Bound, BoundPolicies, type BoundPolicy } from "./bound-policies.ts";
import { CompiledPolicy } from "./compiled-policy.ts";
import { MutationError, ObjectMutation, unknownFieldsError } from "./object-mutation.ts";
import { configured, PolicyConfigurationError } from "./policy-params.ts";
import { isExemptFromPolicies, namespaceOf, type PolicyPlane } from "./policy-plane.ts";

const GROUP = "admissionregistration.k8s.io";
const RESOURCES = {
  policies: { group: GROUP, resource: "mutatingadmissionpolicies" },
  bindings: { group: GROUP, resource: "mutatingadmissionpolicybindings" },
};

/** A MutatingAdmissionPolicy that can be asked. */
class PolicyMutations extends CompiledPolicy<MutatingAdmissionPolicySpec> {
  #mutations: readonly ObjectMutation[] | undefined;

  constructor(policy: MutatingAdmissionPolicy) {
    super(policy, policy.spec ?? {});
  }

  get mutations(): readonly ObjectMutation[] {
    this.#mutations ??= (this.spec.mutations ?? []).map((each) => new ObjectMutation(each, this));
    return this.#mutations;
  }
}

interface Matched extends MatchedResource {
  readonly params: ServedResource | undefined;
}

interface MatchedPolicy extends BoundPolicy<PolicyMutations> {
  readonly matched: Matched | PolicyConfigurationError;
}

/** A policy, one of its bindings, and one of the objects that the binding gives it. */
interface Invocation {
  readonly policy: PolicyMutations;
  readonly binding: Bound;
  readonly matched: MatchedResource;
  readonly params: JsonObject | null;
}

interface Problem {
  readonly policy: PolicyMutations;
  readonly binding: Bound | undefined;
  readonly why: string;
  readonly reason: string;
}

/** Changes what is written by the expressions of policies, one after the other. */
export class MutatingAdmissionPolicies implements AdmissionPlugin, Disposable {
  readonly name = "MutatingAdmissionPolicy";
  readonly #plane: PolicyPlane;
  readonly #policies: BoundPolicies<MutatingAdmissionPolicy, PolicyMutations>;

  constructor(plane: PolicyPlane) {
    this.#plane = plane;
    this.#policies = new BoundPolicies(
      plane,
      RESOURCES,
      (policy: Readonly<MutatingAdmissionPolicy>) => new PolicyMutations(policy),
    );
  }

  [Symbol.dispose](): void {
    this.#policies[Symbol.dispose]();
  }

  mutate(change: AdmittedChange, request: AdmissionRequest): void | Promise<void> {
    const policies = this.#policies.inOrder;
    // There is nothing to be changed in a deletion.
    if (policies.length === 0 || change.operation === "DELETE") return undefined;
    if (isExemptFromPolicies(request.kind)) return undefined;
    const attributes = admissionAttributes(change, request);
    const matching: MatchedPolicy[] = [];
    for (const bound of policies) {
      const matched = configured(() => this.#matchedBy(bound.policy, attributes));
      if (matched !== undefined) matching.push({ ...bound, matched });
    }
    return matching.length === 0 ? undefined : this.#mutate(attributes, change, matching);
  }

  /** With the resource of its parameters. */
  #matchedBy(policy: PolicyMutations, attributes: AdmissionAttributes): Matched | undefined {
    const matched = policy.matcher.match(attributes, this.#plane);
    if (matched === undefined) return undefined;
    const { paramKind } = policy.spec;
    const params = paramKind && this.#plane.params.resourceOf(paramKind);
    return { ...matched, params };
  }

  async #mutate(
    attributes: AdmissionAttributes,
    change: AdmittedChange,
    matching: readonly MatchedPolicy[],
  ): Promise<void> {
    const problems: Problem[] = [];
    const invocations: Invocation[] = [];
    for (const { policy, bindings, matched } of matching) {
      if (matched instanceof PolicyConfigurationError) {
        const why = `failed to configure policy: ${matched.message}`;
        problems.push({ policy, binding: undefined, why, reason: "" });
        continue;
      }
      for (const binding of bindings) {
        const params = await this.#paramsOf(binding, matched, attributes);
        if (params instanceof PolicyConfigurationError) {
          const why = `failed to configure binding: ${params.message}`;
          problems.push({ policy, binding, why, reason: "" });
        } else {
          for (const each of params) invocations.push({ policy, binding, matched, params: each });
        }
      }
    }
    const { request } = attributes;
    if (invocations.length > 0) problems.push(...(await this.#run(change, request, invocations)));
    const told = problems.filter(({ policy }) => !policy.ignoresFailures);
    if (told.length > 0) throw refusal(attributes, told);
  }

  /** None where the binding is not about the request. */
  async #paramsOf(
    { matcher, spec }: Bound,
    { params }: Matched,
    attributes: AdmissionAttributes,
  ): Promise<readonly (JsonObject | null)[] | PolicyConfigurationError> {
    const isMeant = configured(
      () => matcher === undefined || matcher.match(attributes, this.#plane),
    );
    if (isMeant === undefined) return [];
    if (isMeant instanceof PolicyConfigurationError) return isMeant;
    try {
      return await this.#plane.params.collect(params, spec.paramRef, attributes.namespace);
    } catch (error) {
      if (error instanceof PolicyConfigurationError) return error;
      throw error;
    }
  }

  async #run(
    change: AdmittedChange,
    request: AdmissionRequest,
    invocations: readonly Invocation[],
  ): Promise<readonly Problem[]> {
    change.rounds ??= new MutationRounds();
    const { rounds } = change;
    const asked = rounds.of(this.name);
    if (rounds.round > 0) asked.see(change.object);
    const problems: Problem[] = [];
    for (const invocation of invocations) {
      const id = idOf(invocation);
      const isAgain = rounds.round === 0 || asked.isToBeAskedAgain(id);
      const outcome = await this.#ask(invocation, { change, request, isAgain });
      problems.push(...outcome.problems);
      if (outcome.isChanged) {
        asked.changed();
        rounds.wantAnother();
      }
      if (isAgain && invocation.policy.spec.reinvocationPolicy === "IfNeeded") asked.add(id);
    }
    asked.leave(change.object);
    return problems;
  }

  async #ask(
    { policy, binding, matched, params }: Invocation,
    {
      change,
      request,
      isAgain,
    }: {
      readonly change: AdmittedChange;
      readonly request: AdmissionRequest;
      readonly isAgain: boolean;
    },
  ): Promise<{ readonly problems: readonly Problem[]; readonly isChanged: boolean }> {
    const { object, old } = change;
    const nothing = { problems: [], isChanged: false };
    if (object === undefined || !isAgain) return nothing;
    const attributes = admissionAttributes(change, request);
    const { authorizer, breathe } = this.#plane;
    const before = await printIn(object, request.served, matched);
    const oldJson = old && (await printIn(old, request.served, matched));
    const bind = (current: JsonObject): ReturnType<typeof admissionBindings> =>
      admissionBindings({
        attributes,
        matched,
        versioned: { object: current, old: oldJson },
        params: policy.hasParams ? params : undefined,
        namespace: namespaceOf(attributes, this.#plane),
        authorizer,
      });
    const problemOf = (why: string): Problem => ({ policy, binding, why, reason: "Invalid" });
    const verdict = await policy.judgeConditions(bind(before), breathe);
    if (verdict === false) return nothing;
    if (verdict !== true) return { problems: [problemOf(verdict.problem)], isChanged: false };
    const problems: Problem[] = [];
    let current = before;
    for (const mutation of policy.mutations) {
      try {
        const input = {
          bindings: bind(current),
          breathe,
          object: current,
          mergeSchema: codecOf(matched).mergeSchema,
        };
        const made = await mutation.apply(input, policy);
        if (made === current) continue;
        change.object = await readMade(made, request, matched);
        current = await printIn(change.object, request.served, matched);
      } catch (error) {
        if (!(error instanceof MutationError)) throw error;
        problems.push(problemOf(error.message));
      }
    }
    return { problems, isChanged: !equalJson(before, current) };
  }
}

/** Told from all others, so that it is asked again or not. */
function idOf({ policy, binding, params }: Invocation): string {
  const { name = "", namespace = "" } = (params as KubernetesObject | null)?.metadata ?? {};
  return [policy.name, binding.name, namespace, name].join("/");
}

/** Decoded as a client's object would be; fields that there are not are refused. */
async function readMade(
  made: JsonObject,
  request: AdmissionRequest,
  matched: MatchedResource,
): Promise<KubernetesObject> {
  try {
    const { unknownFields } = codecOf(matched).read(made);
    if (unknownFields.length > 0 && matched.served.custom === undefined) {
      throw unknownFieldsError(unknownFields);
    }
    return await readIn(made, request.served, matched);
  } catch (error) {
    if (error instanceof ObjectDecodeError) throw ApiError.internalError(error);
    throw error;
  }
}

/** All that is wrong, the first of it as the message. */
function refusal({ change, request }: AdmissionAttributes, problems: readonly Problem[]): ApiError {
  const texts = problems.map(({ policy, binding, why }) =>
    binding === undefined
      ? `policy "${policy.name}" denied request: ${why}`
      : `policy '${policy.name}' with binding '${binding.name}' denied request: ${why}`,
  );
  const base = forbidden(change, request, "admission request denied by policy");
  return new ApiError({
    message: texts[0]!,
    reason: problems[0]!.reason || base.reason,
    httpStatus: base.httpStatus,
    details: { ...base.details, causes: texts.map((message) => ({ message })) },
  });
}
