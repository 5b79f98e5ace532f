/**
 * What differs between two runs of the same commands becomes a word in capitals: moments, ages,
 * unique ids, versions of objects, assigned addresses and ports, tokens, places of this machine.
 * Columns lose their width with it: two or more spaces inside a line become three.
 */
export interface RunPlaces {
  readonly server: string;
  readonly folder: string;
}

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "UID"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "TOKEN"],
  // As objects, diff and describe write moments.
  [/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, "TIME"],
  [/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)? [+-]\d{4}(?: UTC)?/g, "TIME"],
  [/\b[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}/g, "TIME"],
  [/("?resourceVersion"?: )"\d+"/g, '$1"RV"'],
  [/(LIVE|MERGED)-\d+/g, "$1-N"],
  [/\b10\.\d+\.\d+\.\d+\b/g, "IP"],
  [/\bkubectl-edit-\d+/g, "kubectl-edit-N"],
  [/\b3[0-2]\d{3}\b/g, "PORT"],
  [/\bkube-api-access-[a-z0-9]{5}\b/g, "kube-api-access-NAME"],
  [/\bX509SHA256=[0-9a-f]{64}\b/g, "X509SHA256=HASH"],
  [/(?<=Resource Version: +)\d+/g, "RV"],
  // Not the sign at the head of a line of diff: what follows it is indented.
  [/(?<=\S)(?<!^[-+])[ \t]{2,}(?=\S)/gm, "   "],
  [/(?<=\S)[ \t]+$/gm, ""],
  [
    /(?<=^| {3}|\(x\d+ over |\()(?<!cpu: {3})\d+(?:[smhdy]|ms)(?:\d+[smhd])?(?= {3}|$|\)| ago\)| \()/gm,
    "AGE",
  ],
];

export function mask(printed: string, { server, folder }: RunPlaces): string {
  const placed = printed
    .replaceAll(server, "SERVER")
    .replaceAll(server.replace(/^https:\/\//, ""), "SERVER")
    .replaceAll(folder, "FOLDER");
  return MASKS.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), placed);
}
