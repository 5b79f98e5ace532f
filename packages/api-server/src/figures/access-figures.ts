import { type Count, CounterFamily, type Family } from "./figure-family.ts";

/** Names that are told as they are; others are nobody's business. */
const TOLD: ReadonlySet<string> = new Set([
  "admin",
  "client",
  "kube_proxy",
  "kubelet",
  "system:serviceaccount:kube-system:default",
]);

/** Who was known, and who was let in. */
export class AccessFigures {
  readonly #users = new CounterFamily({
    name: "authenticated_user_requests",
    help: "[ALPHA] Counter of authenticated requests broken out by username.",
    labels: ["username"],
  });
  readonly #authentications = new CounterFamily({
    name: "authentication_attempts",
    help: "[ALPHA] Counter of authenticated attempts.",
    labels: ["result"],
  });
  readonly #authorizations = new CounterFamily({
    name: "authorization_attempts_total",
    help: "[ALPHA] Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
    labels: ["result"],
  });
  #others: Count | undefined;
  #known: Count | undefined;
  #allowed: Count | undefined;

  get families(): readonly Family[] {
    return [this.#users, this.#authentications, this.#authorizations];
  }

  isKnown(username: string): void {
    this.#known ??= this.#authentications.of("success");
    this.#known.value++;
    if (TOLD.has(username)) {
      this.#users.of(username).value++;
    } else if (username.includes("@")) {
      this.#users.of("email_id").value++;
    } else {
      this.#others ??= this.#users.of("other");
      this.#others.value++;
    }
  }

  /** What was shown is wrong. */
  isUnknown(): void {
    this.#authentications.of("error").value++;
  }

  isAllowed(): void {
    this.#allowed ??= this.#authorizations.of("allowed");
    this.#allowed.value++;
  }

  /** No rule says that it may. */
  isRefused(): void {
    this.#authorizations.of("no-opinion").value++;
  }
}
