/** Texts that become a part of a URL. */
import { checkPathSegmentName } from "@homeostat/object-model";
import { type Rule, textIs } from "@homeostat/schema";

export const pathSegment: Rule<string> = textIs(checkPathSegmentName);
