import * as fc from "fast-check";
import { expect, test } from "vitest";
import { HeapTimer, TimerHeap } from "./timer-heap.ts";

const moves = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("push" as const), due: fc.nat(50) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancel" as const), pick: fc.nat(99) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("take" as const) }) },
  ),
  { maxLength: 200, size: "max" },
);

test("the earliest timer is always first, whatever is pushed, cancelled and taken", () => {
  fc.assert(
    fc.property(moves, (plan) => {
      const heap = new TimerHeap();
      let model: HeapTimer[] = [];
      let order = 0;
      for (const move of plan) {
        if (move.kind === "push") {
          model.push(new HeapTimer(heap, { due: move.due, order: order++, fire: () => {} }));
          model.sort((left, right) => left.due - right.due || left.order - right.order);
        } else {
          const timer = move.kind === "take" ? heap.peek() : model[move.pick % (model.length + 1)];
          timer?.cancel();
          timer?.cancel();
          model = model.filter((other) => other !== timer);
        }
        expect(heap.peek()).toBe(model[0]);
        expect(heap.size).toBe(model.length);
      }
    }),
    { numRuns: 300 },
  );
});
