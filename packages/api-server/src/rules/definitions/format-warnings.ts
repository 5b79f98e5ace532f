import type {
  CustomResourceDefinition,
  JSONSchemaProps,
} from "@homeostat/object-model/apiextensions-v1";
import { checkedFormat, someSchema } from "@homeostat/schema";
import { definitionForm, schemasOf } from "./definition-form.ts";

/** Texts for Warning headers: formats that nothing checks, those the old definition has aside. */
export function warnOfFormats(
  definition: Readonly<CustomResourceDefinition>,
  old: Readonly<CustomResourceDefinition> | undefined,
): string[] {
  const known = new Set(old === undefined ? [] : uncheckedFormats(old));
  return uncheckedFormats(definition)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function uncheckedFormats({ spec }: Readonly<CustomResourceDefinition>): string[] {
  const formats: string[] = [];
  const look = ({ type = "", format = "" }: JSONSchemaProps): boolean => {
    if (format !== "" && checkedFormat(type, format) === "") formats.push(format);
    return false;
  };
  for (const schema of schemasOf(definitionForm(spec))) someSchema(schema, look);
  return formats;
}
