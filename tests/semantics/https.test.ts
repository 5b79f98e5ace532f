import { describe } from "vitest";
import { openHttpsPlane } from "./https-plane.ts";
import { testSemantics } from "./suite.ts";

describe("over HTTP/2", () => testSemantics(() => openHttpsPlane("h2")));
describe("over HTTP/1.1", () => testSemantics(() => openHttpsPlane("http/1.1")));
