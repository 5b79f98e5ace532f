import { onTestFinished } from "vitest";
import type { PlaneUnderTest } from "./plane-under-test.ts";
import { Requests } from "./requests.ts";

/** Opens a fresh plane by one way in. */
export type OpenPlane = () => Promise<PlaneUnderTest>;

/** A plane for this test alone; it goes when the test is over. */
export async function openFor(
  open: OpenPlane,
): Promise<{ readonly plane: PlaneUnderTest; readonly requests: Requests }> {
  const plane = await open();
  onTestFinished(() => plane[Symbol.asyncDispose]());
  return { plane, requests: new Requests(plane) };
}
