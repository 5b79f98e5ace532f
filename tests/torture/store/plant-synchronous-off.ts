/**
 * A planted bug, loaded before the writer and into its worker threads (`node --import`): every
 * connection asks for synchronous = OFF where the store asks for FULL.
 */
import { DatabaseSync } from "node:sqlite";

const exec = Reflect.get(DatabaseSync.prototype, "exec");
DatabaseSync.prototype.exec = function execWithoutSync(this: DatabaseSync, sql: string): void {
  exec.call(this, sql.replaceAll("synchronous = FULL", "synchronous = OFF"));
};
