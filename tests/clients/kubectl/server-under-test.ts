import {
  CommandUnderTest,
  makeBundle,
  readAccess,
} from "../../../apps/cli/src/command-under-test.ts";
import type { Access } from "./kubectl-session.ts";

export interface ServerUnderTest extends AsyncDisposable {
  readonly access: Access;
}

/** Our server as its user starts it, in a process of its own. */
export async function startServer(): Promise<ServerUnderTest> {
  makeBundle();
  const command = new CommandUnderTest(["api-server", "--ephemeral", "--port=0"]);
  const { kubeconfig } = await command.ready();
  const { server, ca, cert, key } = readAccess(kubeconfig);
  const access = { server, ca, cert: cert!, key: key! };
  return { access, [Symbol.asyncDispose]: () => command[Symbol.asyncDispose]() };
}
