import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { ApiServer } from "../api-server.ts";
import type { CredentialLife } from "../authentication/credential-life.ts";
import type { NodeHeaders, NodeStream, NodeUpgrade } from "../kubelet/node-connector.ts";
import type { Exchange } from "./exchange.ts";
import { Http1Exchange } from "./http1-exchange.ts";
import { headersToPassOn } from "./pass-on.ts";
import {
  ClientGone,
  identify,
  refuse,
  type ServeOptions,
  sendAnswer,
  toDoorRequest,
} from "./serve-exchange.ts";
import { isWatchSocket, sendWatchMessages, socketProblem } from "./watch-socket.ts";

/** A request on an HTTP/1.1 connection that wants another protocol on it. */
export interface UpgradeAttempt {
  readonly request: IncomingMessage;
  readonly socket: TLSSocket;
  /** What came behind the request already. */
  readonly head: Buffer;
  readonly certificate: Exchange["certificate"];
}

export interface UpgradeOptions extends ServeOptions {
  readonly server: ApiServer;
}

/** Where requests may; an Upgrade header anywhere else means nothing, as in kube-apiserver. */
export function mayUpgrade(request: IncomingMessage): boolean {
  const path = (request.url ?? "").split("?", 1)[0]!;
  return isWatchSocket(request) || /\/(?:exec|attach|portforward)\/?$|\/proxy(?:\/|$)/.test(path);
}

/**
 * Takes the same way in as every request. Until the other side has agreed, the caller speaks HTTP and
 * gets an answer; after that bytes pass both ways until either side is done, or the credential is.
 * The connection ends with this request in any case. Resolves when it is upgraded, or to false when
 * the refusal is sent; never rejects.
 */
export async function serveUpgrade(
  { request, socket, head, certificate }: UpgradeAttempt,
  options: UpgradeOptions,
): Promise<boolean> {
  socket.on("error", () => undefined);
  socket.setTimeout(0);
  if (head.length > 0) socket.unshift(head);
  const response = answering(request, socket);
  const exchange = new Http1Exchange(request, response, certificate);
  const gone = new ClientGone(exchange);
  try {
    const identity = identify(exchange, options);
    const asked = toDoorRequest(exchange, { bytes: undefined, gone, identity });
    if (isWatchSocket(request)) {
      const problem = socketProblem(request);
      const answer = problem ? undefined : await options.door.send(asked);
      if (problem !== undefined) exchange.respond(problem, {}, Buffer.alloc(0));
      else if (answer?.kind === "byte-stream" && answer.openEnded && answer.status === 200) {
        response.detachSocket(socket);
        const stopFollowing = identity.life?.onEnd(() => socket.destroy());
        const drained = (): Promise<boolean> => takenInTime(socket, options);
        await sendWatchMessages({ request, socket }, answer, { drained });
        stopFollowing?.();
        return true;
      } else if (answer !== undefined) await sendAnswer(exchange, answer, options);
      return false;
    }
    const headers = { ...asked.headers, ...headersToPassOn(exchange) };
    const result = await options.server.connect({ ...asked, headers, signal: gone.signal });
    if (result.kind === "refused") {
      await sendAnswer(exchange, result.answer, options);
      return false;
    }
    response.detachSocket(socket);
    join(socket, result.upgrade, identity.life);
    return true;
  } catch (error) {
    if (gone.happened) socket.destroy();
    else refuse(exchange, error, options);
    return false;
  }
}

/** For a refusal, after which the connection is closed. */
function answering(request: IncomingMessage, socket: TLSSocket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => {
    socket.end();
    // What it says to that is nobody's; its own end has to be heard.
    socket.resume();
  });
  socket.once("close", () => response.destroy());
  return response;
}

/** Whether the caller took what was written before patience ended. */
async function takenInTime(
  socket: Duplex,
  { deadlines, limits }: UpgradeOptions,
): Promise<boolean> {
  const deadline = deadlines.set(limits.answer, () => socket.destroy());
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once("drain", resolve).once("close", resolve);
  await promise;
  socket.off("drain", resolve).off("close", resolve);
  deadline.release();
  return !socket.destroyed;
}

function join(
  caller: NodeStream,
  { headers, stream: node }: NodeUpgrade,
  life: CredentialLife | undefined,
): void {
  const stopFollowing = life?.onEnd(() => caller.destroy());
  caller.once("close", () => stopFollowing?.());
  passBytes(caller, node);
  passBytes(node, caller);
  if (caller.destroyed) node.destroy();
  else caller.write(printHead(headers));
}

/** As fast as `to` takes them; the end of either is the end of both, once everything is passed on. */
function passBytes(from: NodeStream, to: NodeStream): void {
  from.on("error", () => undefined);
  from.once("end", () => to.end(() => to.destroy()));
  from.once("close", () => {
    if (!to.writableEnded) to.destroy();
  });
  from.on("data", (chunk) => {
    if (to.destroyed || to.writableEnded || to.write(chunk)) return;
    from.pause();
    to.once("drain", () => from.resume());
  });
}

function printHead(headers: NodeHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}\r\n`),
  );
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`;
}
