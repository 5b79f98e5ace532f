import { type JsonObject, schemaOf } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { valuePayload } from "../answers/object-payload.ts";
import { TokenRequests } from "../authentication/token-requests.ts";
import { tokenFieldManager } from "../managed-fields/served-field-manager.ts";
import { builtinCodec } from "../registry/object-codec.ts";
import { admitBody } from "./admission-request.ts";
import { takeNamespace } from "./create.ts";
import { decodeBody } from "./decode-draft.ts";
import { writerOf } from "./manage-fields.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { readWriteOptions } from "./write-options.ts";

const ISSUED = "authentication.kubernetes.io/issued-credential-id";

/** A token for a service account. Nothing is kept of it, so that a dry run is like any other. */
export async function issueToken(request: ResourceRequest): Promise<Answer> {
  const { name, namespace, plane, warnings: told } = request;
  const options = readWriteOptions(request.query, "CreateOptions");
  const codec = builtinCodec(schemaOf("authentication.v1.TokenRequest"));
  const kind = { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", codec };
  const { object, warnings } = await decodeBody(request.body, kind, options.fieldValidation);
  told.push(...warnings);
  codec.applyDefaults(object);
  takeNamespace(object, request);
  const manager = tokenFieldManager();
  manager.update(manager.empty(), object, writerOf(request, options.fieldManager));
  const issued = await new TokenRequests(plane).create(object, {
    namespace,
    name,
    admit: (asked) => admitBody(request, { object: asked, options }),
    warn: (text) => void told.push(text),
    onIssued: (id) => request.audit?.annotate(ISSUED, id),
  });
  const printed = codec.print(issued as unknown as JsonObject);
  return { status: 201, payload: valuePayload(printed) };
}
