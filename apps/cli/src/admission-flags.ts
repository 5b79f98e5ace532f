import type { Command } from "commander";
import { addWordsTo } from "./flag-values.ts";

/** Which admission plugins are asked, as the flags say it. */
export interface AdmissionFlags {
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
}

/** Flags by the names that kube-apiserver has for them. */
export function addAdmissionFlags(command: Command): Command {
  return command
    .option(
      "--enable-admission-plugins <list>",
      "ask these admission plugins; those that kube-apiserver has on by default are on already",
      addWordsTo,
    )
    .option(
      "--disable-admission-plugins <list>",
      "do not ask these admission plugins, such as ServiceAccount,PodSecurity",
      addWordsTo,
    );
}
