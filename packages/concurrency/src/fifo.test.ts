import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Fifo } from "./fifo.ts";

test("behaves as an array with push and shift, however long it gets", () => {
  const runs = fc.array(fc.record({ push: fc.nat(200), shift: fc.nat(200) }), { maxLength: 12 });
  fc.assert(
    fc.property(runs, (plan) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      let item = 0;
      for (const { push, shift } of plan) {
        for (let count = 0; count < push; count++) {
          fifo.push(item);
          model.push(item++);
        }
        for (let count = 0; count < shift && model.length > 0; count++) {
          expect(fifo.shift()).toBe(model.shift());
        }
        expect(fifo.size).toBe(model.length);
      }
    }),
  );
});
