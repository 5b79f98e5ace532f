/**
 * Server-side apply, the pure part: who owns which fields (field sets), what an object of a kind looks
 * like to a merge (merge schemas), and what applying and updating make of an object and of its owners.
 * Everything here behaves as structured-merge-diff v6 does, to the byte of `fieldsV1`.
 *
 * This file is the set of fields. It is kept in the very form in which `fieldsV1` writes it, so that
 * reading and writing cost nothing: an object whose keys are path elements (path-element.ts). A path
 * element that leads to `{}` is a member; one that leads to `{".":{}, ...}` is a member that has members
 * below it; without the dot only those below are members. Sets are never changed once made. Keys stand
 * in any order: `printFieldsV1` puts them in order.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** While one is made. */
export interface MutableFieldSet {
  [element: string]: FieldSet;
}

/** Marks a node that has members below it as a member itself. */
export const SELF = ".";

/** The set without members; below a path element, the mark of a member without members below. */
export const EMPTY_SET: FieldSet = Object.freeze({});

const LEAF = EMPTY_SET;

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether a node is a member that has none below it. */
export function isLeaf(node: FieldSet): boolean {
  return isEmptySet(node);
}

/** Whether the path element that leads to this node is a member. */
export function isMember(node: FieldSet): boolean {
  return Object.hasOwn(node, SELF) || isLeaf(node);
}

/** The node with its path element as a member. */
export function asMember(node: FieldSet): FieldSet {
  return isMember(node) ? node : { [SELF]: LEAF, ...node };
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  if (path.length === 0) return false;
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = Object.hasOwn(node, element) ? node[element] : undefined;
    if (node === undefined) return false;
  }
  return isMember(node);
}

/** The members below one path element, which is itself none of them. */
export function below(set: FieldSet, element: string): FieldSet {
  const node = Object.hasOwn(set, element) ? set[element] : undefined;
  if (node === undefined || isLeaf(node)) return EMPTY_SET;
  if (!Object.hasOwn(node, SELF)) return node;
  const { [SELF]: _self, ...rest } = node;
  return rest;
}

export function fieldSetOfPaths(...paths: readonly (readonly string[])[]): FieldSet {
  let set = EMPTY_SET;
  for (const path of paths) {
    if (path.length === 0) continue;
    set = union(
      set,
      path.reduceRight<FieldSet>((node, element) => ({ [element]: node }), LEAF),
    );
  }
  return set;
}

/** The paths of all members, a node's own members before those below them. */
export function* pathsOf(
  set: FieldSet,
  prefix: readonly string[] = [],
): Generator<readonly string[]> {
  for (const element of Object.keys(set)) {
    if (element !== SELF && isMember(set[element]!)) yield [...prefix, element];
  }
  for (const element of Object.keys(set)) {
    if (element !== SELF && !isLeaf(set[element]!)) {
      yield* pathsOf(set[element]!, [...prefix, element]);
    }
  }
}

export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isEmptySet(right)) return left;
  return isEmptySet(left) ? right : unionKeys(left, right);
}

export function unionNodes(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  // Two leaves are mostly different objects: taking the left one saves the copy of what it is in.
  if (isLeaf(right)) return asMember(left);
  if (isLeaf(left)) return asMember(right);
  return unionKeys(left, right);
}

function unionKeys(left: FieldSet, right: FieldSet): FieldSet {
  let result: MutableFieldSet | undefined;
  for (const element in right) {
    const added = right[element]!;
    const known = Object.hasOwn(left, element) ? left[element] : undefined;
    const node = known === undefined ? added : unionNodes(known, added);
    if (node === known) continue;
    result ??= { ...left };
    result[element] = node;
  }
  return result ?? left;
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  const result: MutableFieldSet = {};
  for (const element in left) {
    if (element === SELF || !Object.hasOwn(right, element)) continue;
    const node = intersectNodes(left[element]!, right[element]!);
    if (node !== undefined) result[element] = node;
  }
  return isEmptySet(result) ? EMPTY_SET : result;
}

function intersectNodes(left: FieldSet, right: FieldSet): FieldSet | undefined {
  const both = isMember(left) && isMember(right);
  if (isLeaf(left) || isLeaf(right)) return both ? LEAF : undefined;
  return nodeOf(both, intersection(left, right));
}

/** Whether no member of one is one of the other. */
export function areDisjoint(left: FieldSet, right: FieldSet): boolean {
  for (const element in right) {
    if (element === SELF || !Object.hasOwn(left, element)) continue;
    const one = left[element]!;
    const other = right[element]!;
    if ((isMember(one) && isMember(other)) || !areDisjoint(one, other)) return false;
  }
  return true;
}

/** Whether all members of `left` are members of `right`: whether their {@link difference} is empty. */
export function isSubset(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  for (const element in left) {
    if (element === SELF) continue;
    if (!Object.hasOwn(right, element)) return false;
    const one = left[element]!;
    const other = right[element]!;
    if ((isMember(one) && !isMember(other)) || !isSubset(one, other)) return false;
  }
  return true;
}

/**
 * The members of `left` that are none of `right`. Each path stands for itself: taking away `a` leaves
 * `a.b`, taking away `a.b` leaves `a`.
 */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return EMPTY_SET;
  if (isEmptySet(right) || isEmptySet(left)) return left;
  let result: MutableFieldSet | undefined;
  for (const element in right) {
    if (element === SELF || !Object.hasOwn(left, element)) continue;
    const known = left[element]!;
    const node = subtractNode(known, right[element]!);
    if (node === known) continue;
    result ??= { ...left };
    if (node === undefined) delete result[element];
    else result[element] = node;
  }
  return result ?? left;
}

function subtractNode(left: FieldSet, right: FieldSet): FieldSet | undefined {
  const member = isMember(left);
  const stays = member && !isMember(right);
  if (isLeaf(left)) return stays ? left : undefined;
  const children = difference(left, right);
  if (stays === member) return children === left ? left : shrunk(children);
  return nodeOf(stays, withoutSelf(children));
}

/** The same, but what is taken away takes everything below it along. */
export function recursiveDifference(left: FieldSet, right: FieldSet): FieldSet {
  if (isEmptySet(right) || isEmptySet(left)) return left;
  let result: MutableFieldSet | undefined;
  for (const element in right) {
    if (element === SELF || !Object.hasOwn(left, element)) continue;
    const known = left[element]!;
    const taken = right[element]!;
    const node = isMember(taken) ? undefined : subtractBelow(known, taken);
    if (node === known) continue;
    result ??= { ...left };
    if (node === undefined) delete result[element];
    else result[element] = node;
  }
  return result ?? left;
}

function subtractBelow(left: FieldSet, right: FieldSet): FieldSet | undefined {
  if (isLeaf(left)) return left;
  const children = recursiveDifference(left, right);
  return children === left ? left : shrunk(children);
}

/** A node from whether it is a member and those below it; undefined where there is nothing. */
export function nodeOf(member: boolean, children: FieldSet): FieldSet | undefined {
  if (isEmptySet(children)) return member ? LEAF : undefined;
  return member ? asMember(children) : children;
}

/** A node from which members were taken, as a node: undefined where nothing is left. */
function shrunk(node: FieldSet): FieldSet | undefined {
  for (const element in node) if (element !== SELF) return node;
  return Object.hasOwn(node, SELF) ? LEAF : undefined;
}

function withoutSelf(node: FieldSet): FieldSet {
  if (!Object.hasOwn(node, SELF)) return node;
  const { [SELF]: _self, ...rest } = node;
  return rest;
}

export function equalSets(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  let count = 0;
  for (const element in left) {
    if (!Object.hasOwn(right, element) || !equalSets(left[element]!, right[element]!)) return false;
    count++;
  }
  for (const _ in right) count--;
  return count === 0;
}
