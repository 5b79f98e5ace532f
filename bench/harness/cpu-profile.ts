// What a CPU profile says: where the time went.

/** As V8 writes it (.cpuprofile). */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

export interface HotFunction {
  readonly name: string;
  readonly place: string;
  /** Its own time, without what it calls, as a share of the time that was not idle. */
  readonly share: number;
}

/** The functions with the most time of their own. V8's own work stands as "(program)" and "(garbage collector)". */
export function hotFunctions(profile: CpuProfile, count: number): HotFunction[] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, { name: string; place: string; microseconds: number }>();
  let total = 0;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === "(idle)") continue;
    // The profiler's own work.
    if (frame.url === "node:inspector") continue;
    const microseconds = profile.timeDeltas?.[index] ?? 0;
    total += microseconds;
    const name = frame.functionName || "(anonymous)";
    const file = frame.url.slice(frame.url.lastIndexOf("/") + 1);
    const place = file === "" ? "-" : `${file}:${frame.lineNumber + 1}`;
    const known = times.get(`${name} ${place}`);
    if (known === undefined) times.set(`${name} ${place}`, { name, place, microseconds });
    else known.microseconds += microseconds;
  }
  return [...times.values()]
    .sort((a, b) => b.microseconds - a.microseconds)
    .slice(0, count)
    .map(({ name, place, microseconds }) => ({ name, place, share: microseconds / total }));
}
