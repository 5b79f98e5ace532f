/**
 * How large answers are cut. The first piece of one is small, as a client may never take it, and
 * there may be many such; the next are larger, as long as the client takes them.
 */
const FIRST_PIECE = 16 * 1024;
const GROWTH = 4;

/** The largest piece. What is no larger is sent whole. */
export const LARGEST_PIECE: number = 256 * 1024;

/** Pieces one after the other, of which the last made is being filled. */
export class LargePieces {
  #size = FIRST_PIECE;

  /** How many bytes the next piece should have. */
  next(): number {
    const size = this.#size;
    this.#size = Math.min(size * GROWTH, LARGEST_PIECE);
    return size;
  }

  /**
   * The bytes that `parts` has together. It is asked anew for each piece: in between, what it refers
   * to may move, and nothing is held but the piece that is on its way.
   */
  *of(parts: () => readonly Uint8Array[]): Iterable<Uint8Array> {
    let from = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(this.next());
      const length = copyFrom(parts(), from, piece);
      if (length > 0) yield piece.subarray(0, length);
      if (length < piece.length) return;
      from += length;
    }
  }
}

/** Fills `out` with what is behind the first `from` bytes of all parts; returns how much that was. */
function copyFrom(parts: readonly Uint8Array[], from: number, out: Uint8Array): number {
  let begin = 0;
  let at = 0;
  for (const part of parts) {
    const skipped = Math.min(Math.max(0, from - begin), part.length);
    const taken = part.subarray(skipped, skipped + out.length - at);
    out.set(taken, at);
    at += taken.length;
    begin += part.length;
  }
  return at;
}
