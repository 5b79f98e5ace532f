/** Of events, by kube-apiserver's estimate: so many watches of one are the work of a seat for so long. */
const WATCHES_PER_SEAT = 10;
const MILLISECONDS_PER_EVENT = 5;
const MOST_SEATS = 10;

/** The seats of a write, and how long it keeps them after its answer, for those who watch. */
export interface WriteWork {
  readonly seats: number;
  /** Milliseconds. */
  readonly after: number;
}

const ALONE: WriteWork = { seats: 1, after: 0 };

/** Narrower and longer where the level lets nobody have so many seats; few watches cost nothing. */
export function writeWork(watches: number, mostSeats: number): WriteWork {
  if (watches < WATCHES_PER_SEAT) return ALONE;
  const wanted = Math.ceil(watches / WATCHES_PER_SEAT);
  const seats = Math.min(wanted, mostSeats, MOST_SEATS);
  return { seats, after: (wanted * MILLISECONDS_PER_EVENT) / seats };
}
