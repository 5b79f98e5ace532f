import {
  ADMISSION_PLUGINS,
  DEFAULT_ADMISSION_PLUGINS,
  type PluginOptions,
} from "@homeostat/api-server";
import type { AdmissionFlags } from "./admission-flags.ts";

/** A flag names a plugin that cannot be switched like that. */
class AdmissionFlagError extends Error {
  readonly code = "flag-admission";
  override readonly name = "AdmissionFlagError";
}

/** Which plugins are off, as the flags say it. */
export function readAdmission(flags: AdmissionFlags): PluginOptions {
  const { enableAdmissionPlugins: enabled = [], disableAdmissionPlugins: disabled = [] } = flags;
  checkNames("enable-admission-plugins", enabled);
  checkNames("disable-admission-plugins", disabled);
  const both = [...new Set(enabled)].filter((name) => disabled.includes(name)).toSorted();
  if (both.length > 0) {
    throw new AdmissionFlagError(
      `[${both.join(" ")}] in enable-admission-plugins and disable-admission-plugins overlapped`,
    );
  }
  const missing = enabled.find((name) => !DEFAULT_ADMISSION_PLUGINS.includes(name));
  if (missing !== undefined) {
    throw new AdmissionFlagError(
      `enable-admission-plugins plugin ${JSON.stringify(missing)} is not part of homeostat; expected one of ${DEFAULT_ADMISSION_PLUGINS.join(", ")}`,
    );
  }
  return { disabled };
}

function checkNames(flag: string, names: readonly string[]): void {
  const unknown = names.find((name) => !ADMISSION_PLUGINS.includes(name));
  if (unknown === undefined) return;
  throw new AdmissionFlagError(`${flag} plugin ${JSON.stringify(unknown)} is unknown`);
}
