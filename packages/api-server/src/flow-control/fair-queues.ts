/**
 * The seats of one priority level, and who waits for one. Each flow has a few of the queues
 * (shuffle-sharding.ts); a free seat goes to the queue that would be done first if all queues were
 * served at the same time, each with an equal share: who asks for little does not wait behind who
 * asks for much. Virtual time is that of such an imagined service, in seat-milliseconds; a queue's
 * `nextStart` is when its next request would begin in it. The head of the chosen queue gets the seats
 * it needs before anybody else, however long that takes, so that wide requests are served too.
 */
import { SeatDemand } from "./seat-demand.ts";

/** What a request is taken to last, until it is known; milliseconds. */
const ESTIMATED_DURATION = 3;

export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** One request: first it may wait, then it has its seats until it leaves. */
export class Occupant {
  readonly seats: number;
  /** Called when a waiting request is seated. */
  onSeated: (() => void) | undefined;
  state: "waiting" | "seated" | "gone" = "waiting";
  seatedAt = 0;
  queue: FlowQueue | undefined;
  arrival = 0;

  constructor(seats: number) {
    this.seats = seats;
  }
}

interface FlowQueue {
  readonly waiting: Occupant[];
  waitingSeats: number;
  seated: number;
  seatsInUse: number;
  nextStart: number;
}

export class FairQueues {
  /** Seats that may be in use. */
  limit = 0;
  requestsWaiting = 0;
  requestsSeated = 0;
  seatsInUse = 0;
  seatsWaiting = 0;
  readonly demand: SeatDemand;
  #queuing: Queuing | undefined;
  #queues: FlowQueue[] = [];
  #activeQueues = 0;
  #virtualTime = 0;
  #syncedAt: number;
  #lastChosen = 0;
  #entered = 0;

  constructor(now: number) {
    this.#syncedAt = now;
    this.demand = new SeatDemand(now);
  }

  /** Who waits where there are no such queues any more goes on waiting there. */
  configure(queuing: Queuing | undefined): void {
    this.#queuing = queuing;
    const wanted = queuing?.queues ?? 0;
    while (this.#queues.length < wanted) {
      this.#queues.push({ waiting: [], waitingSeats: 0, seated: 0, seatsInUse: 0, nextStart: 0 });
    }
    while (this.#queues.length > wanted && isIdle(this.#queues.at(-1)!)) this.#queues.pop();
  }

  /** Undefined: refused. Otherwise seated at once, or waiting. */
  enter(occupant: Occupant, hand: readonly number[], now: number): Occupant | undefined {
    this.#sync(now);
    if (this.#queuing === undefined) {
      if (!this.#hasRoomFor(occupant.seats)) return undefined;
      this.#seat(occupant, now);
      return occupant;
    }
    const queue = this.#choose(hand);
    const isFull = queue.waiting.length >= this.#queuing.queueLengthLimit;
    if (isFull && this.seatsInUse >= this.limit) return undefined;
    if (isIdle(queue)) {
      queue.nextStart = this.#virtualTime;
      this.#activeQueues++;
    }
    occupant.queue = queue;
    occupant.arrival = this.#virtualTime;
    if (this.requestsWaiting === 0 && this.#hasRoomFor(occupant.seats)) {
      bound(queue, occupant);
      this.#seat(occupant, now);
      return occupant;
    }
    queue.waiting.push(occupant);
    queue.waitingSeats += occupant.seats;
    this.requestsWaiting++;
    this.seatsWaiting += occupant.seats;
    this.#noteDemand(now);
    boundByHead(queue);
    this.#seatAll(now);
    return occupant;
  }

  /** Seated, whatever the limit: what is exempt only counts. */
  enterExempt(occupant: Occupant, now: number): void {
    this.#seat(occupant, now);
  }

  /** Milliseconds that each request is taken to last. */
  readonly estimatedDuration: number = ESTIMATED_DURATION;

  /** For each queue: who waits, who has seats, and when its next would begin, in seat-milliseconds. */
  get queues(): readonly Readonly<FlowQueue>[] {
    return this.#queues;
  }

  /** The request is over, or does not wait any longer. Idempotent. */
  leave(occupant: Occupant, now: number): void {
    if (occupant.state === "gone") return;
    this.#sync(now);
    const { queue, seats } = occupant;
    if (occupant.state === "waiting") {
      const at = queue!.waiting.indexOf(occupant);
      queue!.waiting.splice(at, 1);
      this.#unqueue(occupant);
      boundByHead(queue!);
    } else {
      this.requestsSeated--;
      this.seatsInUse -= seats;
      if (queue !== undefined) {
        queue.seated--;
        queue.seatsInUse -= seats;
        queue.nextStart -= seats * (ESTIMATED_DURATION - (now - occupant.seatedAt));
        boundByHead(queue);
      }
    }
    occupant.state = "gone";
    if (queue !== undefined && isIdle(queue)) this.#activeQueues--;
    this.#noteDemand(now);
    this.#seatAll(now);
  }

  setLimit(limit: number, now: number): void {
    this.#sync(now);
    this.limit = limit;
    this.#seatAll(now);
  }

  #sync(now: number): void {
    const elapsed = now - this.#syncedAt;
    this.#syncedAt = now;
    if (this.#activeQueues === 0) return;
    const busy = Math.min(this.seatsInUse + this.seatsWaiting, this.limit);
    this.#virtualTime += (busy / this.#activeQueues) * elapsed;
  }

  /** The queue of the hand where the least waits; they take turns where that is equal. */
  #choose(hand: readonly number[]): FlowQueue {
    const offset = this.#entered++ % hand.length;
    let best = this.#queues[hand[offset]!]!;
    if (this.requestsWaiting === 0) return best;
    for (let step = 1; step < hand.length; step++) {
      const queue = this.#queues[hand[(offset + step) % hand.length]!]!;
      if (queue.waitingSeats < best.waitingSeats) best = queue;
    }
    return best;
  }

  #hasRoomFor(seats: number): boolean {
    // What is wider than the whole level goes alone.
    if (seats > this.limit) return this.requestsSeated === 0 && this.limit > 0;
    return this.seatsInUse + seats <= this.limit;
  }

  #seatAll(now: number): void {
    while (this.requestsWaiting > 0 && this.seatsInUse < this.limit) {
      const queue = this.#nextQueue();
      const occupant = queue.waiting[0]!;
      if (!this.#hasRoomFor(occupant.seats)) return;
      queue.waiting.shift();
      this.#unqueue(occupant);
      this.#seat(occupant, now);
      boundByHead(queue);
      occupant.onSeated?.();
    }
  }

  /** Somebody waits. */
  #nextQueue(): FlowQueue {
    const count = this.#queues.length;
    let earliest = Number.POSITIVE_INFINITY;
    let found = this.#lastChosen;
    for (let step = 1; step <= count; step++) {
      const at = (this.#lastChosen + step) % count;
      const queue = this.#queues[at]!;
      const head = queue.waiting[0];
      if (head === undefined) continue;
      const end = queue.nextStart + head.seats * ESTIMATED_DURATION;
      if (end < earliest) {
        earliest = end;
        found = at;
      }
    }
    this.#lastChosen = found;
    return this.#queues[found]!;
  }

  #seat(occupant: Occupant, now: number): void {
    const { queue, seats } = occupant;
    occupant.state = "seated";
    occupant.seatedAt = now;
    this.requestsSeated++;
    this.seatsInUse += seats;
    if (queue !== undefined) {
      queue.seated++;
      queue.seatsInUse += seats;
      queue.nextStart += seats * ESTIMATED_DURATION;
    }
    this.#noteDemand(now);
  }

  #unqueue({ queue, seats }: Occupant): void {
    queue!.waitingSeats -= seats;
    this.requestsWaiting--;
    this.seatsWaiting -= seats;
  }

  #noteDemand(now: number): void {
    this.demand.set(this.seatsInUse + this.seatsWaiting, now);
  }
}

function isIdle(queue: FlowQueue): boolean {
  return queue.seated === 0 && queue.waiting.length === 0;
}

/** Nobody is served before it came: a queue does not save up for later what it did not use. */
function bound(queue: FlowQueue, head: Occupant): void {
  if (queue.nextStart < head.arrival) queue.nextStart = head.arrival;
}

function boundByHead(queue: FlowQueue): void {
  const head = queue.waiting[0];
  if (head !== undefined) bound(queue, head);
}
