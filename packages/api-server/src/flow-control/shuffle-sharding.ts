import { createHash } from "node:crypto";

/**
 * Deals a hand of queues to a flow: always the same hand, and seldom the same as that of another. A
 * flow that fills all queues of its hand leaves others at least one that is theirs.
 */
export function dealHand(
  flow: string,
  { queues, handSize }: { readonly queues: number; readonly handSize: number },
): readonly number[] {
  let entropy = createHash("sha256").update(flow).digest().readBigUInt64LE(0);
  const hand: number[] = [];
  for (let dealt = 0; dealt < Math.min(handSize, queues); dealt++) {
    const left = BigInt(queues - dealt);
    hand.push(cardAt(Number(entropy % left), hand));
    entropy /= left;
  }
  return hand;
}

/** The card at a position among those that have not been dealt. */
function cardAt(position: number, dealt: readonly number[]): number {
  let card = position;
  for (const taken of dealt.toSorted((a, b) => a - b)) if (card >= taken) card++;
  return card;
}
