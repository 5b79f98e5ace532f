import { ApiError, type KubernetesObject } from "@homeostat/object-model";

/** What etcd takes in one request by default, and so the largest object of a cluster. */
export const MAX_STORED_BYTES: number = 1.5 * 1024 * 1024;

type Encoded = Uint8Array | Promise<Uint8Array>;

/**
 * The bytes to keep of an object, which may be only so many, whatever way it grew. Who manages its
 * fields is forgotten before it is refused.
 */
export function withinSize(encode: () => Encoded, object: KubernetesObject): Encoded {
  const encoded = encode();
  if (encoded instanceof Promise) return encoded.then((value) => check(value, encode, object));
  return check(encoded, encode, object);
}

function check(value: Uint8Array, encode: () => Encoded, object: KubernetesObject): Encoded {
  if (value.length <= MAX_STORED_BYTES) return value;
  const { metadata } = object;
  if (metadata?.managedFields === undefined) {
    throw new ApiError({ message: "etcdserver: request is too large", httpStatus: 500 });
  }
  delete metadata.managedFields;
  return withinSize(encode, object);
}
