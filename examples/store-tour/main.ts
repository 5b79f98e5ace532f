// A tour of the store. From the root of the project:
//   npm run example -- store-tour                      a durable store in .homeostat-store-tour/
//   npm run example -- store-tour --ephemeral          one that lives in memory
//   npm run example -- store-tour --data-dir DIR       a durable store in DIR
import { parseArgs } from "node:util";
import { openMemoryStore, openSqliteStore, type Store, StoreError } from "@homeostat/store";

const help = `Usage: npm run example -- store-tour [--ephemeral | --data-dir DIR]

Opens a store, makes a few changes and shows what a watcher hears. Run it twice:
revisions go on where they were.

  --data-dir DIR   keep the data in DIR (default .homeostat-store-tour)
  --ephemeral      keep the data in memory only
  --help           this text`;

const options = {
  ephemeral: { type: "boolean", default: false },
  "data-dir": { type: "string", default: ".homeostat-store-tour" },
  help: { type: "boolean", default: false },
} as const;

async function tour(store: Store): Promise<void> {
  const key = "/registry/configmaps/default/greeting";
  console.log(`opened at revision ${store.revision}`);
  await using watch = store.watch({ prefix: "/registry/", after: store.revision });

  const text = (words: string): Uint8Array =>
    new TextEncoder().encode(JSON.stringify({ data: { words } }));
  const created = await store.create(key, text("hello"));
  if (created.outcome === "refused")
    console.log(`create: refused, it ${created.reason} already (from an earlier run)`);
  const current = store.get(key)!;
  await store.update(key, text(`hello at revision ${store.revision}`), {
    expectedRevision: current.revision,
  });
  const late = await store.update(key, text("too late"), { expectedRevision: current.revision });
  console.log(`an update with the revision from before: ${late.outcome}`);
  await store.transaction([
    { type: "create", key: `${key}-copy`, value: text("a copy") },
    { type: "check", key, expectedRevision: store.get(key)!.revision },
  ]);
  await store.delete(`${key}-copy`);

  watch.requestProgress();
  for await (const { events, revision } of watch) {
    for (const event of events) {
      const bytes = event.current?.value ?? event.previous?.value;
      console.log(
        `${event.revision}  ${event.type.padEnd(8)} ${event.key}  ${new TextDecoder().decode(bytes)}`,
      );
    }
    if (revision === store.revision) break;
  }
  console.log(`now at revision ${store.revision}, ${store.statistics().keys} key`);
}

try {
  const { values } = parseArgs({ options });
  if (values.help) console.log(help);
  else {
    await using store = values.ephemeral
      ? openMemoryStore()
      : openSqliteStore({ directory: values["data-dir"] });
    await tour(store);
  }
} catch (error) {
  const isUsage = error instanceof TypeError && "code" in error;
  if (!isUsage && !(error instanceof StoreError)) throw error;
  console.error(`${(error as Error).message}${isUsage ? `\n\n${help}` : ""}`);
  process.exitCode = isUsage ? 2 : 1;
}
