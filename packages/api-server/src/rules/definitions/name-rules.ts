import { checkDns1035Label } from "@homeostat/object-model";
import type { CustomResourceDefinitionNames } from "@homeostat/object-model/apiextensions-v1";
import type { Place } from "@homeostat/schema";

/** What names may look like, those that are there. */
export function checkNames(
  names: Readonly<Partial<CustomResourceDefinitionNames>>,
  place: Place,
): void {
  checkLabel(names.plural, place.child("plural"));
  checkLabel(names.singular, place.child("singular"));
  checkKind(names.kind, place.child("kind"));
  checkKind(names.listKind, place.child("listKind"));
  for (const [index, name] of (names.shortNames ?? []).entries()) {
    refuse(name, checkDns1035Label(name), place.child("shortNames").index(index));
  }
  if (names.kind && names.kind === names.listKind) {
    place.child("listKind").invalid(names.listKind, "kind and listKind may not be the same");
  }
  for (const [index, category] of (names.categories ?? []).entries()) {
    refuse(category, checkDns1035Label(category), place.child("categories").index(index));
  }
}

function checkLabel(name: string | undefined, place: Place): void {
  if (name) refuse(name, checkDns1035Label(name), place);
}

function checkKind(name: string | undefined, place: Place): void {
  if (!name) return;
  const problems = checkDns1035Label(name.toLowerCase());
  if (problems.length === 0) return;
  place.invalid(name, `may have mixed case, but should otherwise match: ${problems.join(",")}`);
}

/** Several problems of one text are one error. */
export function refuse(text: string, problems: readonly string[], place: Place): void {
  if (problems.length > 0) place.invalid(text, problems.join(","));
}
