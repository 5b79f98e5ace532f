"use strict";
/**
 * Loads the files of the bundle with the code that V8 made of them in an earlier run, the functions
 * included that ran by then. Node's own compile cache keeps what was compiled while a file was
 * loaded: of a bundle that is next to nothing, and every function is compiled again at its first
 * call. Bundles are CommonJS for the same reason: only of scripts can code be kept after they ran.
 *
 * The name of a file changes with its content (`scripts/bundle.ts`), so kept code is never used for
 * another source; V8 refuses code of another build or other flags, but looks for no damage: a
 * checksum does. Plain JavaScript, and no import more than needed.
 */
const fs = require("node:fs");
const { clearTimeout, setTimeout } = require("node:timers");
const { constants, Script } = require("node:vm");
const { crc32 } = require("node:zlib");

/** Bytes before the code: its checksum, and room that keeps the code aligned. */
const HEAD = 8;
/** After the last file was loaded: by then a server is ready, and has run what starts need. */
const SAVE_DELAY = 1000;

/** `directory`: where the bundle lies. `caches`: where compiled code is kept, the best place first. */
module.exports = class BundleLoader {
  #directory;
  #caches;
  #modules = new Map();
  /** What was compiled in this run, by file. */
  #fresh = new Map();
  #timer;

  constructor({ directory, caches }) {
    this.#directory = directory;
    const tag = `${process.version}-${process.arch}-${setUp().toString(16)}`;
    this.#caches = caches.map((cache) => `${cache}/${tag}`);
  }

  loadMain() {
    const { main } = JSON.parse(fs.readFileSync(`${this.#directory}/entry.json`, "latin1"));
    return this.#load(main);
  }

  /** Keeps what was compiled in this run. A command that loaded one file has shown too little of it. */
  save() {
    clearTimeout(this.#timer);
    if (this.#modules.size < 2) return;
    for (const [file, script] of this.#fresh) {
      const code = script.createCachedData();
      const head = Buffer.alloc(HEAD);
      head.writeUInt32LE(crc32(code));
      this.#caches.some((cache) => isWritten(cache, file, Buffer.concat([head, code])));
    }
    this.#fresh.clear();
  }

  #load(file) {
    const known = this.#modules.get(file);
    if (known !== undefined) return known.exports;
    const path = `${this.#directory}/${file}`;
    const run = this.#compile(file, path).runInThisContext();
    const module = { exports: {} };
    this.#modules.set(file, module);
    const requireFrom = (name) =>
      name.startsWith("./") ? this.#load(name.slice(2)) : require(name);
    run(module.exports, requireFrom, module, path, this.#directory);
    return module.exports;
  }

  #compile(file, path) {
    // The bundler writes ASCII: V8 keeps one byte for each character, and nothing is decoded.
    const source = fs.readFileSync(path, "latin1");
    const cachedData = this.#kept(file);
    const script = new Script(source, {
      filename: path,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (cachedData === undefined || script.cachedDataRejected) {
      this.#fresh.set(file, script);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.save(), SAVE_DELAY).unref();
    }
    return script;
  }

  #kept(file) {
    for (const cache of this.#caches) {
      try {
        const kept = fs.readFileSync(`${cache}/${file}.code`);
        const code = kept.subarray(HEAD);
        if (kept.readUInt32LE() === crc32(code)) return code;
      } catch {
        // Nothing is kept there, or less than a head.
      }
    }
    return undefined;
  }
};

/**
 * What else V8 looks at before it takes code, so that those who differ in it do not replace each other's.
 * It tells it itself too, but by a module that takes two milliseconds to load.
 */
function setUp() {
  return crc32(JSON.stringify([process.execPath, process.execArgv, process.env.NODE_OPTIONS]));
}

/**
 * Whole or not at all, whoever else reads or writes it, and even if the machine stops. Never throws:
 * a place that cannot be written is none.
 */
function isWritten(cache, file, content) {
  const part = `${cache}/${file}.${process.pid}`;
  try {
    fs.mkdirSync(cache, { recursive: true, mode: 0o700 });
  } catch {
    return false;
  }
  try {
    fs.writeFileSync(part, content, { mode: 0o600, flush: true });
    fs.renameSync(part, `${cache}/${file}.code`);
    return true;
  } catch {
    fs.rm(part, { force: true }, () => undefined);
    return false;
  }
}
