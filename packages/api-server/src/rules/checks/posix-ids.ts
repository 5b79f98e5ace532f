/** Numbers of users and groups. */
import { inRange, type Rule } from "@homeostat/schema";

const MAX = 2 ** 31 - 1;

export const userId: Rule<number> = inRange(0, MAX);
export const groupId: Rule<number> = inRange(0, MAX);
