import { CIDR_LIBRARY } from "./cidr-library.ts";
import { EXT_LISTS_LIBRARY } from "./ext-lists-library.ts";
import { FORMAT_LIBRARY } from "./format-library.ts";
import { IP_LIBRARY } from "./ip-library.ts";
import type { Library } from "./library.ts";
import { LISTS_LIBRARY } from "./lists-library.ts";
import { OPTIONAL_LIBRARY } from "./optional-library.ts";
import { QUANTITY_LIBRARY } from "./quantity-library.ts";
import { REGEX_LIBRARY } from "./regex-library.ts";
import { SEMVER_LIBRARY } from "./semver-library.ts";
import { SETS_LIBRARY } from "./sets-library.ts";
import { STANDARD_LIBRARY } from "./standard-library.ts";
import { STRINGS_LIBRARY } from "./strings-library.ts";
import { TWO_VARIABLE_LIBRARY } from "./two-variable-library.ts";
import { URL_LIBRARY } from "./url-library.ts";

const LIBRARIES: readonly Library[] = [
  STANDARD_LIBRARY,
  URL_LIBRARY,
  REGEX_LIBRARY,
  LISTS_LIBRARY,
  OPTIONAL_LIBRARY,
  QUANTITY_LIBRARY,
  STRINGS_LIBRARY,
  SETS_LIBRARY,
  IP_LIBRARY,
  CIDR_LIBRARY,
  FORMAT_LIBRARY,
  TWO_VARIABLE_LIBRARY,
  SEMVER_LIBRARY,
  EXT_LISTS_LIBRARY,
];

/** Everything expressions in Kubernetes 1.36 may use, in the order in which overloads are tried. */
export function kubernetesLibraries(): readonly Library[] {
  return LIBRARIES;
}
