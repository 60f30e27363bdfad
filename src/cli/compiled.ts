import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { cachedDataVersionTag, getHeapCodeStatistics } from "node:v8";
import { Script, constants as vmConstants } from "node:vm";
import { crc32 } from "node:zlib";
import { defined } from "../model/defined.ts";

/** What is kept of one command is one to three megabytes; more than these is nobody's any more. */
const MOST_KEPT_FILES = 24;
const MOST_KEPT_BYTES = 32 * 1024 * 1024;
/** Code that a run had to compile although something was kept: below this, writing it again would take longer than it saves. */
const WORTH_KEEPING_BYTES = 100_000;
const CHECKSUM_BYTES = 4;

/** Not on Windows: there no link is followed unseen. */
const { O_NOFOLLOW = 0, O_RDONLY } = constants;

/** A program in one file of CommonJS, run with what was compiled of it before. */
export interface CompiledProgram {
  /** What the file exports. */
  readonly exports: unknown;
  /** It did not have to be compiled. */
  readonly isKept: boolean;
  /** Keeps what is compiled by now for the next start, where that is worth it. Never throws. */
  keep(): void;
}

/**
 * Runs a program of CommonJS. Where a directory is given, the code that V8 compiled of it is kept there, functions that were called included:
 * the next start reads that in place of compiling. It is used only for the same text, the same Node and the same options of V8 (V8 itself
 * checks the last two), when it is as it was written, and when nobody but this account can have written it.
 * @param file absolute, of ASCII alone
 * @param name what is kept apart: each command calls other functions
 */
export function runCompiled(file: string, name: string, directory: string | undefined): CompiledProgram {
  const { bytes, text } = wrapped(file);
  const at = directory === undefined ? undefined : join(directory, `${name}-${tagOf(bytes)}`);
  const cachedData = at === undefined ? undefined : kept(at);
  const script = new Script(text, {
    filename: file,
    importModuleDynamically: vmConstants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...defined({ cachedData }),
  });
  const isKept = cachedData !== undefined && script.cachedDataRejected === false;
  const before = isKept ? compiledBytes() : 0;
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return {
    exports: module.exports,
    isKept,
    keep() {
      if (at === undefined || compiledBytes() - before < WORTH_KEEPING_BYTES) return;
      try {
        keepAt(at, script.createCachedData());
      } catch {
        // No room, or no right to write: the code is compiled again.
      }
    },
  };
}

/**
 * Where compiled code is kept: in the account's own cache directory, since what stands in a directory of all accounts could be anybody's.
 * The variables are Node's own, for the cache that it has itself from version 22 on.
 * @returns undefined: nowhere
 */
export function compiledDirectory(env: NodeJS.ProcessEnv): string | undefined {
  // What is compiled while it is counted does not count.
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_V8_COVERAGE) return undefined;
  try {
    const cache = env.NODE_COMPILE_CACHE || env.XDG_CACHE_HOME;
    const base = cache !== undefined && isAbsolute(cache) ? cache : join(homedir(), ".cache");
    const directory = join(base, "realmctl", "compiled");
    // One by one: where nothing can be made (/proc), Node tries for ever to make all of a path.
    for (const part of [base, dirname(directory), directory]) {
      if (!existsSync(part)) mkdirSync(part, { mode: 0o700 });
      // Root with somebody else's home would leave directories there in which they cannot write.
      if (!isOwn(statSync(part))) return undefined;
    }
    return directory;
  } catch {
    return undefined;
  }
}

/** The text as a function of what Node gives to a module: made in one piece, since a long text that is put together is there twice. */
function wrapped(file: string): { readonly bytes: Buffer; readonly text: string } {
  const before = Buffer.from("(function (exports, require, module, __filename, __dirname) {");
  const after = Buffer.from("\n})");
  const descriptor = openSync(file, O_RDONLY);
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.allocUnsafeSlow(before.length + size + after.length);
    before.copy(bytes);
    readAll(descriptor, bytes.subarray(before.length, before.length + size));
    after.copy(bytes, before.length + size);
    return { bytes, text: bytes.toString("latin1") };
  } finally {
    closeSync(descriptor);
  }
}

/** Of the text and of the V8 that compiles it: another one of either looks elsewhere. */
function tagOf(text: Buffer): string {
  return [text.length, crc32(text), cachedDataVersionTag()].map((part) => part.toString(36)).join("-");
}

const compiledBytes = (): number => getHeapCodeStatistics().bytecode_and_metadata_size;

/** Undefined: there is nothing, or it is not as it was written, or not certain to be this account's. */
function kept(path: string): Buffer | undefined {
  try {
    const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || !isOwn(stats) || stats.size > MOST_KEPT_BYTES) return undefined;
      const bytes = Buffer.allocUnsafeSlow(stats.size);
      readAll(descriptor, bytes);
      const code = bytes.subarray(CHECKSUM_BYTES);
      return bytes.readUInt32LE() === crc32(code) ? code : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** V8 runs what it reads here: nobody else may be able to write it. Windows has no such rights; there the account's folder is its own. */
function isOwn({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** @throws RangeError when there is less than there should be */
function readAll(descriptor: number, into: Uint8Array): void {
  for (let at = 0; at < into.length; ) {
    const count = readSync(descriptor, into, at, into.length - at, null);
    if (count === 0) throw new RangeError("the file is shorter than it was");
    at += count;
  }
}

/** In one step: another command may be starting. */
function keepAt(path: string, code: Buffer): void {
  const bytes = Buffer.allocUnsafe(CHECKSUM_BYTES + code.length);
  bytes.writeUInt32LE(crc32(code));
  code.copy(bytes, CHECKSUM_BYTES);
  const beside = `${path}.${process.pid}-${Date.now().toString(36)}.tmp`;
  try {
    writeFileSync(beside, bytes, { flag: "wx", mode: 0o600 });
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
  forgetOldest(dirname(path));
}

/** What older versions left. */
function forgetOldest(directory: string): void {
  const files = readdirSync(directory).map((name) => join(directory, name));
  if (files.length <= MOST_KEPT_FILES) return;
  const byAge = files.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { path } of byAge.slice(MOST_KEPT_FILES)) rmSync(path, { force: true });
}
