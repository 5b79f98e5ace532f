/**
 * What changed between two texts, in the lines kube-apiserver appends to some refusals. Its diff is
 * a port of Python's `difflib`, so matches are found the same way: longest block first, then left
 * and right of it, and in long texts frequent lines do not start a block.
 */

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Change {
  readonly equal: boolean;
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

const CONTEXT = 3;
/** From so many lines on, a line that makes up more than one percent does not start a block. */
const POPULAR_FROM = 200;

/** A unified diff without file names and with three lines of context; "" for equal texts. */
export function unifiedDiff(before: string, after: string): string {
  const a = before.split("\n");
  const b = after.split("\n");
  let text = "";
  for (const group of groupChanges(changesOf(matchingBlocks(a, b)))) {
    const first = group[0]!;
    const last = group.at(-1)!;
    text += `@@ -${range(first.aFrom, last.aTo)} +${range(first.bFrom, last.bTo)} @@\n`;
    for (const change of group) {
      if (change.equal) {
        for (const line of a.slice(change.aFrom, change.aTo)) text += ` ${line}\n`;
        continue;
      }
      for (const line of a.slice(change.aFrom, change.aTo)) text += `-${line}\n`;
      for (const line of b.slice(change.bFrom, change.bTo)) text += `+${line}\n`;
    }
  }
  return text;
}

/** Lines count from 1; an empty range names the line before it. */
function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}

/** Where each line of `b` stands, without the lines too frequent to start a block. */
function indexLines(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [position, line] of b.entries()) {
    const positions = index.get(line);
    if (positions === undefined) index.set(line, [position]);
    else positions.push(position);
  }
  if (b.length >= POPULAR_FROM) {
    const most = Math.floor(b.length / 100) + 1;
    for (const [line, positions] of index) if (positions.length > most) index.delete(line);
  }
  return index;
}

function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const index = indexLines(b);
  const blocks: Block[] = [];
  const search = (aFrom: number, aTo: number): ((bFrom: number, bTo: number) => void) => {
    return (bFrom, bTo) => {
      const found = longestMatch({ a, b, index, aFrom, aTo, bFrom, bTo });
      if (found.size === 0) return;
      if (aFrom < found.a && bFrom < found.b) search(aFrom, found.a)(bFrom, found.b);
      blocks.push(found);
      const [aNext, bNext] = [found.a + found.size, found.b + found.size];
      if (aNext < aTo && bNext < bTo) search(aNext, aTo)(bNext, bTo);
    };
  };
  search(0, a.length)(0, b.length);
  blocks.push({ a: a.length, b: b.length, size: 0 });
  return joinAdjacent(blocks);
}

function joinAdjacent(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last && last.size > 0 && last.a + last.size === block.a && last.b + last.size === block.b) {
      joined[joined.length - 1] = { ...last, size: last.size + block.size };
    } else {
      joined.push(block);
    }
  }
  return joined;
}

interface SearchSpace {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly index: ReadonlyMap<string, readonly number[]>;
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** The longest block of equal lines, the first one in `a` and then in `b` among equally long. */
function longestMatch(space: SearchSpace): Block {
  const { a, b, index, aFrom, aTo, bFrom, bTo } = space;
  let best: Block = { a: aFrom, b: bFrom, size: 0 };
  // Length of the match that ends at the previous line of `a` and at that line of `b`.
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of index.get(a[i]!) ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: aStart, b: bStart, size } = best;
  while (aStart > aFrom && bStart > bFrom && a[aStart - 1] === b[bStart - 1]) {
    aStart--;
    bStart--;
    size++;
  }
  while (aStart + size < aTo && bStart + size < bTo && a[aStart + size] === b[bStart + size]) {
    size++;
  }
  return { a: aStart, b: bStart, size };
}

function changesOf(blocks: readonly Block[]): Change[] {
  const changes: Change[] = [];
  let [aFrom, bFrom] = [0, 0];
  for (const { a, b, size } of blocks) {
    if (aFrom < a || bFrom < b) {
      changes.push({ equal: false, aFrom, aTo: a, bFrom, bTo: b });
    }
    [aFrom, bFrom] = [a + size, b + size];
    if (size > 0) changes.push({ equal: true, aFrom: a, aTo: aFrom, bFrom: b, bTo: bFrom });
  }
  return changes;
}

/** Cuts long equal stretches down to their context, and the list where they were cut in two. */
function groupChanges(changes: readonly Change[]): Change[][] {
  if (changes.every((change) => change.equal)) return [];
  const groups: Change[][] = [];
  let group: Change[] = [];
  for (const [index, change] of changes.entries()) {
    const isFirst = index === 0;
    const isLast = index === changes.length - 1;
    if (!change.equal) group.push(change);
    else if (isFirst) group.push(lastLines(change));
    else if (isLast) group.push(firstLines(change));
    else if (change.aTo - change.aFrom <= 2 * CONTEXT) group.push(change);
    else {
      group.push(firstLines(change));
      groups.push(group);
      group = [lastLines(change)];
    }
  }
  groups.push(group);
  return groups;
}

function firstLines(change: Change): Change {
  return {
    ...change,
    aTo: Math.min(change.aTo, change.aFrom + CONTEXT),
    bTo: Math.min(change.bTo, change.bFrom + CONTEXT),
  };
}

function lastLines(change: Change): Change {
  return {
    ...change,
    aFrom: Math.max(change.aFrom, change.aTo - CONTEXT),
    bFrom: Math.max(change.bFrom, change.bTo - CONTEXT),
  };
}
