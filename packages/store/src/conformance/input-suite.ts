import { expect, test } from "vitest";
import type { Operation } from "../store.ts";
import { bytes, heard, openFor, type StoreBackend, show, turns } from "./store-backend.ts";

const mebibyte = 1024 * 1024;

/** Keys and values of every kind, and arguments that are none. */
export function inputSuite(backend: StoreBackend): void {
  test("keys are data: names that mean something to JavaScript mean nothing here", async () => {
    const store = openFor(backend);
    const keys = ["__proto__", "constructor", "hasOwnProperty", "prototype", "toString", "valueOf"];
    for (const key of keys) expect(store.get(key)).toBeUndefined();
    const watch = store.watch({ prefix: "__proto__" });
    for (const key of keys) {
      expect(await store.update(key, bytes("x"))).toMatchObject({ reason: "missing" });
      expect(await store.create(key, bytes(key))).toMatchObject({ outcome: "created" });
      expect(await store.create(key, bytes(key))).toMatchObject({ reason: "exists" });
    }
    expect(store.list({ prefix: "" }).items.map(({ key }) => key)).toEqual(keys);
    expect(show(store.get("__proto__"))).toBe("__proto__@1=__proto__");
    expect(await store.delete("__proto__", { expectedRevision: 1 })).toMatchObject({
      outcome: "deleted",
    });
    expect(await heard(watch)).toEqual([
      "added __proto__@1=__proto__ was nothing",
      "deleted __proto__@7 was __proto__@1=__proto__",
    ]);
  });

  test("keys are any well-formed text, in the order of its UTF-16 units", async () => {
    const store = openFor(backend);
    const keys = [
      " ",
      "\u0000",
      "a\u0000b",
      "a\nb",
      "ä",
      "a\u0308",
      "日本",
      "🙂",
      "\uffff",
      "/",
      "%",
    ];
    for (const key of keys) await store.create(key, bytes(key));
    expect(store.list({ prefix: "" }).items.map(({ key }) => key)).toEqual(keys.toSorted());
    for (const key of keys) expect(Buffer.from(store.get(key)!.value).toString()).toBe(key);
    expect(store.list({ prefix: "a" }).items.length).toBe(3);
  });

  test("a key is not empty, well formed, and at most 65,535 bytes long", async () => {
    const store = openFor(backend);
    const create = (key: unknown) => store.create(key as string, bytes("x"));
    await expect(create("")).rejects.toThrow(
      new TypeError('a key must be a string that is not empty, got ""'),
    );
    await expect(create(7)).rejects.toThrow(
      new TypeError("a key must be a string that is not empty, got number"),
    );
    await expect(create(null)).rejects.toThrow(TypeError);
    await expect(create("\ud800")).rejects.toThrow(
      new TypeError('a key must be well-formed Unicode, got "\\ud800"'),
    );
    await expect(create("ä".repeat(32_768))).rejects.toThrow(
      new RangeError("a key has at most 65535 bytes, got 65536"),
    );
    const longest = "ä".repeat(32_767);
    expect(await create(longest)).toMatchObject({ outcome: "created", revision: 1 });
    expect(store.list({ prefix: "ä" }).items[0]?.key).toBe(longest);
    await expect(store.delete("")).rejects.toThrow(TypeError);
    await expect(store.transaction([{ type: "delete", key: "" }])).rejects.toThrow(TypeError);
    expect(store.revision).toBe(1);
  });

  test("an empty value is a value", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "" });
    await store.create("a", bytes(""));
    expect(store.get("a")?.value.length).toBe(0);
    expect(await store.update("a", bytes(""))).toMatchObject({ outcome: "unchanged" });
    await store.update("a", bytes("x"));
    await store.update("a", bytes(""));
    expect(await store.create("a", bytes("x"))).toMatchObject({ reason: "exists" });
    expect(await heard(watch)).toEqual([
      "added a@1= was nothing",
      "modified a@2=x was a@1=",
      "modified a@3= was a@2=x",
    ]);
  });

  test("values of 2 MiB and more are kept whole", async () => {
    const store = openFor(backend);
    const values = [2 * mebibyte, 4 * mebibyte, 4 * mebibyte + 1, 9 * mebibyte].map((length, at) =>
      Buffer.alloc(length, `value ${at} `),
    );
    await Promise.all(values.map((value, at) => store.create(`k${at}`, value)));
    await store.update("k0", values[3]!);
    await store.update("k3", values[0]!);
    await store.compact(store.revision);
    for (const [key, at] of [
      ["k0", 3],
      ["k1", 1],
      ["k2", 2],
      ["k3", 0],
    ] as const) {
      expect(Buffer.compare(store.get(key)!.value, values[at]!)).toBe(0);
    }
    expect(await store.update("k1", Buffer.from(values[1]!))).toMatchObject({
      outcome: "unchanged",
    });
  });

  test("the caller may use its buffer again as soon as the call returns", async () => {
    const store = openFor(backend);
    const buffer = Buffer.alloc(4);
    const writing = ["one!", "two!", "tri!"].map((text, at) => {
      buffer.write(text);
      return store.create(`k${at}`, buffer);
    });
    buffer.write("tx-a");
    const other = Buffer.from("tx-b");
    const operations: Operation[] = [
      { type: "create", key: "ta", value: buffer },
      { type: "create", key: "tb", value: other },
    ];
    writing.push(store.transaction(operations) as never);
    buffer.fill("?");
    other.fill("?");
    await Promise.all(writing);
    expect(store.list({ prefix: "" }).items.map(show)).toEqual([
      "k0@1=one!",
      "k1@2=two!",
      "k2@3=tri!",
      "ta@4=tx-a",
      "tb@4=tx-b",
    ]);
  });

  test("a value is bytes of any kind of view, and nothing else", async () => {
    const store = openFor(backend);
    await store.create("part", new Uint8Array(Buffer.from("abcdef")).subarray(2, 4));
    expect(show(store.get("part"))).toBe("part@1=cd");
    const wrong: unknown[] = ["text", [1, 2], undefined, null, new ArrayBuffer(2)];
    for (const value of wrong) {
      await expect(store.create("a", value as Uint8Array)).rejects.toThrow(
        /^the value of a must be a Uint8Array, got /,
      );
    }
    await expect(store.update("part", "x" as unknown as Uint8Array)).rejects.toThrow(
      new TypeError('the value of part must be a Uint8Array, got "x"'),
    );
    expect(store.revision).toBe(1);
  });

  test("a revision is a whole number from 0 on", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const wrong = [
      -1,
      0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 53,
      "1" as unknown as number,
    ];
    for (const revision of wrong) {
      const message = "a revision is a whole number from 0 on";
      expect(() => store.get("a", { revision })).toThrow(message);
      expect(() => store.list({ prefix: "", revision })).toThrow(message);
      expect(() => store.watch({ prefix: "", after: revision })).toThrow(message);
      const expectedRevision = revision;
      await expect(store.update("a", bytes("2"), { expectedRevision })).rejects.toThrow(message);
      await expect(store.delete("a", { expectedRevision })).rejects.toThrow(message);
      await expect(
        store.transaction([{ type: "check", key: "a", expectedRevision }]),
      ).rejects.toThrow(message);
      await expect(store.compact(revision)).rejects.toThrow(message);
    }
    expect([store.revision, store.statistics().watchers]).toEqual([1, 0]);
  });

  test("a time to live is a number of milliseconds above 0", async () => {
    const store = openFor(backend);
    for (const timeToLive of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const error = new RangeError(
        `timeToLive must be a number of milliseconds above 0, got ${timeToLive}`,
      );
      await expect(store.create("a", bytes("1"), { timeToLive })).rejects.toThrow(error);
      await expect(
        store.transaction([{ type: "create", key: "a", value: bytes("1"), timeToLive }]),
      ).rejects.toThrow(error);
    }
    expect(store.revision).toBe(0);
  });

  test("a wrong operation in a transaction leaves nothing of the others", async () => {
    const store = openFor(backend);
    const wrong = store.transaction([
      { type: "create", key: "a", value: bytes("1") },
      { type: "create", key: "b", value: "text" as unknown as Uint8Array },
    ]);
    await expect(wrong).rejects.toThrow(TypeError);
    await turns(3);
    expect([store.revision, store.get("a")]).toEqual([0, undefined]);
    expect(store.statistics().valueBytes).toBe(0);
  });
}
