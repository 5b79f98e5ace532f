/** What is wrong with the ports of a Service; see `service-validation.ts` for the rest. */
import { checkDns1123Label, checkLabelKey, FieldError, FieldPath } from "@homeostat/object-model";
import type { ServicePort, ServiceSpec } from "@homeostat/object-model/core-v1";
import { checkPortName, checkPortNumber } from "../rules/checks/ports.ts";

const SPEC = FieldPath.of("spec");
const PROTOCOLS = ["SCTP", "TCP", "UDP"];

export function checkPorts({ ports = [] }: Readonly<ServiceSpec>): FieldError[] {
  const names = new Set<string>();
  return [...ports.entries()].flatMap(([i, port]) => {
    const path = SPEC.child("ports").index(i);
    const { name = "", targetPort = 0, appProtocol } = port;
    const errors: FieldError[] = [];
    if (name === "") {
      if (ports.length > 1) errors.push(FieldError.required(path.child("name")));
    } else {
      for (const each of invalids(path.child("name"), name, checkDns1123Label(name)))
        errors.push(each);
      if (names.has(name)) errors.push(FieldError.duplicate(path.child("name"), name));
      names.add(name);
    }
    const number = port.port ?? 0;
    for (const each of invalids(path.child("port"), number, checkPortNumber(number)))
      errors.push(each);
    for (const each of checkChoice(path.child("protocol"), port.protocol, PROTOCOLS))
      errors.push(each);
    const problems =
      typeof targetPort === "number" ? checkPortNumber(targetPort) : checkPortName(targetPort);
    for (const each of invalids(path.child("targetPort"), targetPort, problems)) errors.push(each);
    if (appProtocol !== undefined) {
      for (const each of invalids(
        path.child("appProtocol"),
        appProtocol,
        checkLabelKey(appProtocol),
      ))
        errors.push(each);
    }
    return errors;
  });
}

/** No node ports where the type has none, and neither they nor the ports twice per protocol. */
export function checkNodePorts({ type, ports = [] }: Readonly<ServiceSpec>): FieldError[] {
  const at = (i: number): FieldPath => SPEC.child("ports").index(i);
  const forbidden = [...ports.entries()]
    .filter(([, port]) => type === "ClusterIP" && port.nodePort)
    .map(([i]) =>
      FieldError.forbidden(at(i).child("nodePort"), "may not be used when `type` is 'ClusterIP'"),
    );
  const twice = repeated(ports, ({ nodePort }) => nodePort ?? 0).map(([i, port]) =>
    FieldError.duplicate(at(i).child("nodePort"), port.nodePort),
  );
  const samePorts = repeated(ports, ({ port }) => port).map(([i, { protocol, port }]) =>
    FieldError.duplicate(at(i), internalPort(protocol ?? "", port)),
  );
  return [...forbidden, ...twice, ...samePorts];
}

/** What such a message shows: the server's own form of a port, with capitals and all fields. */
function internalPort(Protocol: string, Port: number): unknown {
  return { Name: "", Protocol, AppProtocol: null, Port, TargetPort: 0, NodePort: 0 };
}

function repeated(
  ports: readonly ServicePort[],
  number: (port: ServicePort) => number,
): [number, ServicePort][] {
  const seen = new Set<string>();
  return [...ports.entries()].filter(([, port]) => {
    const key = `${port.protocol ?? ""} ${number(port)}`;
    if (number(port) === 0 || !seen.has(key)) {
      seen.add(key);
      return false;
    }
    return true;
  });
}

/** A value that must be given and be one of these. */
export function checkChoice(
  path: FieldPath,
  value: string | undefined,
  known: readonly string[],
): FieldError[] {
  if (!value) return [FieldError.required(path)];
  return known.includes(value) ? [] : [FieldError.notSupported(path, value, known)];
}

export function invalids(
  path: FieldPath,
  value: unknown,
  problems: readonly string[],
): FieldError[] {
  return problems.map((problem) => FieldError.invalid(path, value, problem));
}
