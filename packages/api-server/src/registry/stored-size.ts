import { ApiError, type KubernetesObject } from "@homeostat/object-model";

/** What etcd takes in one request by default, and so the largest object of a cluster. */
export const MAX_STORED_BYTES: number = 1.5 * 1024 * 1024;

/** What a client of etcd does not even send. */
const MAX_SENT_BYTES = 2 * 1024 * 1024;

function refusalOf(bytes: number): string {
  return bytes > MAX_SENT_BYTES
    ? `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${MAX_SENT_BYTES})`
    : "etcdserver: request is too large";
}

type Encoded = Uint8Array | Promise<Uint8Array>;

interface SizeOptions {
  /** Who manages its fields matters more than that it is kept. */
  readonly keepsManagedFields: boolean;
}

/**
 * The bytes to keep of an object, which may be only so many, whatever way it grew. Who manages its
 * fields is forgotten before it is refused, unless that is what the write is about.
 */
export function withinSize(
  encode: () => Encoded,
  object: KubernetesObject,
  options: SizeOptions = { keepsManagedFields: false },
): Encoded {
  const check = (value: Uint8Array): Encoded => {
    if (value.length <= MAX_STORED_BYTES) return value;
    const { metadata } = object;
    if (metadata?.managedFields === undefined || options.keepsManagedFields) {
      throw new ApiError({ message: refusalOf(value.length), httpStatus: 500 });
    }
    delete metadata.managedFields;
    return withinSize(encode, object, options);
  };
  const encoded = encode();
  return encoded instanceof Promise ? encoded.then(check) : check(encoded);
}
