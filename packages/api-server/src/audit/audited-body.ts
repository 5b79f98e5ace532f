import type { JsonValue } from "@homeostat/object-model";
import type { ObjectType } from "../protobuf/protobuf-error.ts";
import { type DecodedBody, RequestBody } from "../verbs/request-body.ts";

type Parts = ConstructorParameters<typeof RequestBody>;

/** A body that tells what it held as soon as somebody has decoded it, in whatever encoding it came. */
export class AuditedBody extends RequestBody {
  readonly #tell: (value: JsonValue) => void;

  constructor(parts: Parts, tell: (value: JsonValue) => void) {
    super(...parts);
    this.#tell = tell;
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
    this.#tell(decoded.value);
    return decoded;
  }
}
