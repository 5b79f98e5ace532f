/** What `kubectl explain KIND.metadata` tells people: of built-in types, this one alone has prose. */

const PROSE: ReadonlyMap<string, string> = new Map([
  [
    "annotations",
    "Annotations are keys and values that tools and people keep with the object. Nothing selects by them.",
  ],
  [
    "creationTimestamp",
    "CreationTimestamp is a timestamp of when the server created the object, in UTC. Set by the server, read-only.",
  ],
  [
    "deletionGracePeriodSeconds",
    "Seconds that the object has to end by itself before it is removed. Set together with deletionTimestamp, read-only.",
  ],
  [
    "deletionTimestamp",
    "DeletionTimestamp is when the object will be gone at the earliest. Set by the server when a deletion is asked for that cannot be done at once, and never taken back. Read-only.",
  ],
  [
    "finalizers",
    "Finalizers name what has to be done before the object can be removed. Whoever did its part takes its entry out; the object goes with the last one.",
  ],
  [
    "generateName",
    "GenerateName is a prefix: without a name, the server makes a unique one from it and a random suffix.",
  ],
  ["generation", "Generation counts the changes of what is desired. Set by the server, read-only."],
  ["labels", "Labels are keys and values that objects are organized and selected by."],
  [
    "managedFields",
    "ManagedFields says who manages which fields, for server-side apply. Set by the server.",
  ],
  [
    "name",
    "Name of the object, unique among those of its kind in its namespace. It cannot be changed.",
  ],
  [
    "namespace",
    "Namespace that the object is in. Empty for objects of the whole cluster; it cannot be changed.",
  ],
  [
    "ownerReferences",
    "OwnerReferences are the objects that this one depends on: without any of them it is removed. At most one is the managing controller.",
  ],
  [
    "resourceVersion",
    "ResourceVersion identifies this state of the object: clients compare it, watch from it and send it to change only what they have seen. They must not look into it. Set by the server, read-only.",
  ],
  ["selfLink", "SelfLink is no longer set."],
  [
    "uid",
    "UID tells this object from all others there ever were, of the same name as well. Set by the server, read-only.",
  ],
]);

/** The description of a field, where its type is described. */
export function proseOf(owner: string, field: string): string | undefined {
  return owner === "meta.v1.ObjectMeta" ? PROSE.get(field) : undefined;
}
