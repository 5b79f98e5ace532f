import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { ObjectType } from "../protobuf/protobuf-error.ts";
import { type DecodedBody, RequestBody } from "../verbs/request-body.ts";

/** Who hears what a body held, and then what that means to its kind. */
interface BodyListener {
  hasSent(value: JsonValue): void;
  hasMeant(object: () => JsonObject): void;
}

type Parts = ConstructorParameters<typeof RequestBody>;

/** A body that tells what it held as soon as somebody has decoded it, in whatever encoding it came. */
export class AuditedBody extends RequestBody {
  readonly #listener: BodyListener;

  constructor(parts: Parts, listener: BodyListener) {
    super(...parts);
    this.#listener = listener;
  }

  override isMeantAs(object: () => JsonObject): void {
    this.#listener.hasMeant(object);
  }

  override async decodeObject(expected: ObjectType | undefined): Promise<DecodedBody> {
    return this.#told(await super.decodeObject(expected));
  }

  override decodeJson(): DecodedBody {
    return this.#told(super.decodeJson());
  }

  override async decodeConfiguration(): Promise<DecodedBody> {
    return this.#told(await super.decodeConfiguration());
  }

  #told(decoded: DecodedBody): DecodedBody {
    this.#listener.hasSent(decoded.value);
    return decoded;
  }
}
