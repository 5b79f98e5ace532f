import type { PriorityLevelConfiguration } from "@homeostat/object-model/flowcontrol-v1";
import { DroppedRequests } from "./dropped-requests.ts";
import { FairQueues, type Queuing } from "./fair-queues.ts";

const MOST_SEATS = 100;
const MOST_SEATS_PART = 0.15;

/** How much of the server the requests of one level may use. Lives as long as its name is configured. */
export class PriorityLevel {
  readonly name: string;
  uid = "";
  /** No limit holds, and nothing waits. */
  isExempt = false;
  shares = 0;
  queuing: Queuing | undefined;
  /** Seats: as configured, and between which numbers the limit moves as levels lend to others. */
  nominal = 0;
  lowest = 0;
  highest = 0;
  /** Of one request. */
  mostSeats = 1;
  readonly queues: FairQueues;
  readonly dropped: DroppedRequests = new DroppedRequests();
  #lendablePercent = 0;
  #borrowingPercent: number | undefined;

  constructor(name: string, now: number) {
    this.name = name;
    this.queues = new FairQueues(now);
  }

  configure({ metadata, spec }: PriorityLevelConfiguration): void {
    this.uid = metadata.uid ?? "";
    this.isExempt = spec?.type === "Exempt";
    const limited = spec?.limited;
    const { nominalConcurrencyShares, lendablePercent } =
      (this.isExempt ? spec?.exempt : limited) ?? {};
    this.shares = nominalConcurrencyShares ?? (this.isExempt ? 0 : 30);
    this.#lendablePercent = lendablePercent ?? 0;
    this.#borrowingPercent = limited?.borrowingLimitPercent;
    const queuing = limited?.limitResponse?.queuing;
    const isQueued = !this.isExempt && limited?.limitResponse?.type === "Queue";
    this.queuing = isQueued
      ? {
          queues: queuing?.queues ?? 64,
          handSize: queuing?.handSize ?? 8,
          queueLengthLimit: queuing?.queueLengthLimit ?? 50,
        }
      : undefined;
    this.queues.configure(this.queuing);
  }

  /** The level's part of the server's seats, `shareSum` being the shares of all levels. */
  takePart(serverSeats: number, shareSum: number): void {
    this.nominal = shareSum === 0 ? 0 : Math.ceil((serverSeats * this.shares) / shareSum);
    const borrowing =
      this.#borrowingPercent === undefined
        ? serverSeats
        : Math.round((this.nominal * this.#borrowingPercent) / 100);
    this.lowest = this.nominal - Math.round((this.nominal * this.#lendablePercent) / 100);
    this.highest = this.nominal + borrowing;
    const hand = this.queuing?.handSize ?? 1;
    const part = Math.min(
      Math.ceil(this.nominal * MOST_SEATS_PART),
      Math.floor(this.nominal / hand),
    );
    this.mostSeats =
      this.queuing === undefined ? MOST_SEATS : Math.min(MOST_SEATS, Math.max(1, part));
  }
}
