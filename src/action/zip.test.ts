import { expect, test } from "vitest";
import { zipOf } from "../../test/action/fake-zip.ts";
import { unzipFile } from "./zip.ts";

const zip = zipOf({ "a.txt": "first", "../../b.txt": "outside", "bomb.txt": "0".repeat(1_000_000) });

test("reads one file by its name", () => expect(unzipFile(zip, "a.txt", 100)).toBe("first"));

test("a file whose own header says that it is too large is refused", () => {
  expect(() => unzipFile(zip, "bomb.txt", 1000)).toThrow("larger than 1000 bytes");
});

test("a file whose header gives a wrong size is refused while it is unpacked", () => {
  const lying = Buffer.from(zip);
  const at = lying.lastIndexOf("bomb.txt") - 46;
  lying.writeUInt32LE(10, at + 24);
  expect(() => unzipFile(lying, "bomb.txt", 1000)).toThrow("cannot be used");
});

test.each([
  ["the file does not exist", zip, "c.txt"],
  ["the archive is incomplete", zip.subarray(0, zip.length - 30), "a.txt"],
  ["the archive is not a zip file", Buffer.from("hello"), "a.txt"],
  ["the archive is empty", Buffer.alloc(0), "a.txt"],
])("%s", (_, bytes, name) => expect(() => unzipFile(bytes, name, 100)).toThrow("the artifact cannot be used"));
