import type { KubernetesObject, WatchFrame } from "@homeostat/object-model";
import type { ObjectJson } from "./answer.ts";
import { deepFreeze } from "./freeze.ts";
import { printedJson } from "./object-payload.ts";

export interface WatchLineParts {
  readonly type: WatchFrame["type"];
  /** A new decoded copy. */
  readonly object: () => KubernetesObject;
  /** JSON of the object, where it can be had without decoding. */
  readonly json?: () => ObjectJson;
}

/** One line of a watch. Whatever is made of it is made when first asked for and then shared. */
export class WatchLine {
  readonly type: WatchFrame["type"];
  readonly #parts: WatchLineParts;
  #bytes: Uint8Array | undefined;
  #frame: WatchFrame | undefined;
  #derived: Map<string, unknown> | undefined;

  constructor(parts: WatchLineParts) {
    this.type = parts.type;
    this.#parts = parts;
  }

  /** As JSON, with its end of line. */
  get bytes(): Uint8Array {
    this.#bytes ??= wrapLine(this.type, this.json.bytes);
    return this.#bytes;
  }

  /** The JSON of the object alone, made anew. */
  get json(): ObjectJson {
    const { object, json } = this.#parts;
    return json?.() ?? printedJson(this.#frame?.object ?? object());
  }

  get frame(): WatchFrame {
    this.#frame ??= { type: this.type, object: deepFreeze(this.#parts.object()) };
    return this.#frame;
  }

  /** Another form of this line, or its bytes in another media type; `key` names which. */
  derive<T>(key: string, make: (line: WatchLine) => T): T {
    this.#derived ??= new Map();
    let derived = this.#derived.get(key) as T | undefined;
    if (derived === undefined) {
      derived = make(this);
      this.#derived.set(key, derived);
    }
    return derived;
  }
}

function wrapLine(type: WatchFrame["type"], object: Uint8Array): Uint8Array {
  const opening = `{"type":"${type}","object":`;
  const line = Buffer.allocUnsafe(opening.length + object.length + 2);
  line.write(opening, 0, "latin1");
  line.set(object, opening.length);
  line.write("}\n", opening.length + object.length, "latin1");
  return line;
}
