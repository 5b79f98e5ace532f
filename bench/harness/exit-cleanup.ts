// What must not outlive this process. The closers run when it ends in an orderly way, last one
// first, whatever the reason: end of the work, an exception, process.exit() after Ctrl-C.
const closers = new Set<() => void>();
let listening = false;

/** Runs `close`, which must not wait for anything, when the process ends. Answers how to forget it. */
export function onExit(close: () => void): () => void {
  if (!listening) {
    listening = true;
    process.once("exit", closeAll);
  }
  // A set keeps each function once: wrap it, so that the same one may be given twice.
  const entry = (): void => close();
  closers.add(entry);
  return () => {
    closers.delete(entry);
  };
}

function closeAll(): void {
  for (const close of [...closers].reverse()) {
    try {
      close();
    } catch (error) {
      console.error(`Cleaning up failed: ${(error as Error).message}`);
    }
  }
}
