import { describe } from "vitest";
import { openHttpsPlane } from "./https-plane.ts";
import { semanticsSuite } from "./suite.ts";

describe("over HTTP/2", () => {
  semanticsSuite(() => openHttpsPlane("h2"));
});

describe("over HTTP/1.1", () => {
  semanticsSuite(() => openHttpsPlane("http/1.1"));
});
