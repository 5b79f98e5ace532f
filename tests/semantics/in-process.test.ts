import { openInProcessPlane } from "./in-process-plane.ts";
import { testSemantics } from "./suite.ts";

testSemantics(openInProcessPlane);
