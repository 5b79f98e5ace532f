// `npm run example -- NAME [arguments]`: runs examples/NAME/main.ts from source.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const examples = fileURLToPath(new URL("../examples/", import.meta.url));
const [name = "", ...rest] = process.argv.slice(2);
const program = `${examples}${name}/main.ts`;
if (name === "" || !/^[a-z-]+$/.test(name) || !existsSync(program)) {
  console.error(
    `npm run example -- NAME, where NAME is one of: ${readdirSync(examples).join(", ")}`,
  );
  process.exit(2);
}
const flags = ["--conditions=@homeostat/source", program, ...rest];
const { status } = spawnSync(process.execPath, flags, { stdio: "inherit" });
process.exit(status ?? 1);
