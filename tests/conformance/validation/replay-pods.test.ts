import { probedKinds } from "./kinds.ts";
import { testAgreement } from "./replay-suite.ts";

testAgreement(probedKinds.filter(({ name }) => name === "pods"));
