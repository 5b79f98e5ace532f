// Facts of the Go structs that neither OpenAPI nor protobuf numbers tell, kept in go-structs.json. They decide how
// kube-apiserver prints an object: struct order, which scalars are pointers (an explicit zero survives), and what is
// printed although empty. A fact that names an unknown field stops the generator.
//
// The facts are taken by reflection over the Go modules that go-structs/go.mod names. For another Kubernetes version,
// say 1.37.0, with the description of that release in the input folder and Go installed:
//   cd scripts/generate/go-structs
//   go get k8s.io/{api,apiextensions-apiserver,apimachinery,kube-aggregator}@v0.37.0
//   go mod tidy
// then, from the project's root, `node scripts/take-go-structs.ts [input folder]`. It names every struct that
// go-structs/main.go does not reach yet: add its group or the struct there.

import { readFileSync } from "node:fs";

/** Lists are words separated by spaces. */
export interface GoStruct {
  /** All fields, where the order differs from that of the protobuf numbers. Embedded structs by type name. */
  readonly order?: string;
  /** Scalar fields that are pointers. */
  readonly pointers?: string;
  /** Message fields that are values although OpenAPI declares no default (own JSON encoding). */
  readonly values?: string;
  /** Printed when empty although not required. */
  readonly printed?: string;
  /** Left out when empty although required, or although a struct value. */
  readonly omitted?: string;
  /** Required fields of a message that OpenAPI does not publish. */
  readonly required?: string;
  /** Starts with TypeMeta; only for messages that OpenAPI does not publish. */
  readonly typed?: boolean;
  /** `name=number`, where protobuf.json lacks the message. */
  readonly numbers?: string;
}

export type GoStructs = ReadonlyMap<string, GoStruct>;

export function readGoStructs(path: string): GoStructs {
  return new Map(
    Object.entries(JSON.parse(readFileSync(path, "utf8")) as Record<string, GoStruct>),
  );
}

export function words(list: string | undefined): readonly string[] {
  return list === undefined || list === "" ? [] : list.split(" ");
}
