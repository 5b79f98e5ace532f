import type { KubernetesObject } from "@homeostat/object-model";

/** Converts objects of one definition between its versions. May change and return what it is given. */
export interface VersionConverter {
  readonly isRemote: boolean;
  convert(
    objects: readonly KubernetesObject[],
    toApiVersion: string,
  ): readonly KubernetesObject[] | Promise<readonly KubernetesObject[]>;
}

/** Strategy `None`: versions differ in their name only. */
export const renamingConverter: VersionConverter = {
  isRemote: false,
  convert: (objects, toApiVersion) =>
    objects.map((object) => ({ ...object, apiVersion: toApiVersion })),
};
