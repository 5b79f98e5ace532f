/**
 * JSON as Kubernetes means it. Values are what `JSON.parse` gives, except that an integer no number
 * holds exactly is a bigint (int64 loses nothing), and every key is plain data, `__proto__` and
 * `constructor` included.
 *
 * Start at `decode-json.ts` and `encode-json.ts`: native JSON plus a proof that nothing in the text
 * or value needs more; where the proof fails, `json-parser.ts` and `json-printer.ts` do it exactly.
 * Neither direction overflows the stack, hangs, or takes more than linear time. Maps with user-chosen
 * keys are read and written through `own-key.ts`.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}
