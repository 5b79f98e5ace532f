import { type Library, STRING } from "@homeostat/cel";

/** `"/metadata/labels/" + jsonpatch.escapeKey("example.com/a")`: keys as parts of a JSON pointer. */
export const JSON_PATCH_LIBRARY: Library = {
  name: "kubernetes.jsonpatch",
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
