import { type Library, STRING } from "@homeostat/cel";
import { mutationType } from "./mutation-types.ts";

/** What changes are made of, and `"/metadata/labels/" + jsonpatch.escapeKey("example.com/a")`: keys as parts of a JSON pointer. */
export const JSON_PATCH_LIBRARY: Library = {
  name: "kubernetes.jsonpatch",
  messages: mutationType,
  functions: [
    {
      name: "jsonpatch.escapeKey",
      overloads: [
        {
          id: "string_jsonpatch_escapeKey_string",
          member: false,
          params: [STRING],
          result: STRING,
          call: ([text]) => (text as string).replaceAll("~", "~0").replaceAll("/", "~1"),
        },
      ],
    },
  ],
};
