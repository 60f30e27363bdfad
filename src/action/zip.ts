import { inflateRawSync } from "node:zlib";
import { Failure, failure } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

/**
 * Reads one file from a zip, the format of GitHub's artifacts. Nothing is written to disk, so the names in it can do no harm.
 * @param mostBytes a file that would be larger is refused before it is unpacked
 * @throws Failure if it is not a zip file, has no such file, or the file is too large
 */
export function unzipFile(zip: Uint8Array, name: string, mostBytes: number): string {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  try {
    let end = bytes.length - 22;
    while (end >= 0 && bytes.readUInt32LE(end) !== END) end -= 1;
    if (end < 0) throw broken({ cause: "no-directory" });
    let at = bytes.readUInt32LE(end + 16);
    const entries = bytes.readUInt16LE(end + 10);
    for (let entry = 0; entry < entries; entry += 1) {
      if (bytes.readUInt32LE(at) !== ENTRY) throw broken({ cause: "damaged" });
      const nameLength = bytes.readUInt16LE(at + 28);
      const found = bytes.toString("utf8", at + 46, at + 46 + nameLength);
      if (found === name) return content(bytes, at, name, mostBytes);
      at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw broken({ cause: "other", reason: error instanceof Error ? error.message : String(error) });
  }
  throw broken({ cause: "no-file", file: name });
}

function content(bytes: Buffer, at: number, name: string, mostBytes: number): string {
  const method = bytes.readUInt16LE(at + 10);
  const packed = bytes.readUInt32LE(at + 20);
  const unpacked = bytes.readUInt32LE(at + 24);
  const local = bytes.readUInt32LE(at + 42);
  if (unpacked > mostBytes) throw broken({ cause: "too-large", file: name, most_bytes: mostBytes });
  if (bytes.readUInt32LE(local) !== LOCAL) throw broken({ cause: "damaged" });
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const data = bytes.subarray(start, start + packed);
  if (method === 0) return data.toString("utf8");
  if (method !== 8) throw broken({ cause: "packed", file: name });
  // The directory of the zip may give a wrong size: unpacking itself stops at the limit.
  return inflateRawSync(data, { maxOutputLength: mostBytes }).toString("utf8");
}

const broken = (fact: DiagnosticFacts["artifact/broken"]): Failure => failure("artifact/broken", fact);
