/** What `go test -json` tells of the packages it tests. */
export class GoTestEvents {
  readonly #packages = new Map<string, PackageTests>();
  /** Lines that are no events: what the compiler says. */
  readonly #lines: string[] = [];

  /** Takes one line of its output. */
  read(line: string): void {
    if (!line.startsWith("{")) {
      if (line !== "") this.#lines.push(line);
      return;
    }
    const event = JSON.parse(line) as GoTestEvent;
    if (event.Action === "build-output") this.#lines.push((event.Output ?? "").trimEnd());
    if (event.Package === undefined) return;
    const tests = this.#packages.get(event.Package) ?? new PackageTests();
    this.#packages.set(event.Package, tests);
    tests.take(event);
  }

  /** By the package's import path, without those that have no tests. */
  get packages(): ReadonlyMap<string, PackageTests> {
    return new Map([...this.#packages].filter(([, tests]) => tests.passed + tests.failed.size > 0));
  }

  get said(): readonly string[] {
    return this.#lines;
  }
}

/** The tests of one package. Specs of Ginkgo are one test: what they are is in its output. */
export class PackageTests {
  passed = 0;
  seconds = 0;
  /** Name of each that failed (or "", for the package itself), with its output. */
  readonly failed = new Map<string, string>();
  readonly #outputs = new Map<string, string>();

  take({ Action, Test = "", Output = "", Elapsed = 0 }: GoTestEvent): void {
    if (Action === "output") this.#outputs.set(Test, (this.#outputs.get(Test) ?? "") + Output);
    if (Action === "fail") this.failed.set(Test, this.#outputs.get(Test) ?? "");
    if (Test === "") this.seconds = Elapsed;
    else if (Action === "pass") {
      this.passed += 1;
      this.#outputs.delete(Test);
    }
  }
}

interface GoTestEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
  readonly Output?: string;
  readonly Elapsed?: number;
}
