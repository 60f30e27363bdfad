import type { Output } from "../../src/cli/io.ts";
import type { RunOptions, World } from "./world.ts";

/** The output of a command, and a way to wait for it. */
export class Screen implements Output {
  readonly isTTY = false;
  readonly columns = undefined;
  text = "";
  private readonly waiting = new Map<string, () => void>();

  write(text: string): void {
    this.text += text;
    for (const [wanted, tell] of [...this.waiting]) {
      if (!this.text.includes(wanted)) continue;
      this.waiting.delete(wanted);
      tell();
    }
  }

  /** The objects of an output that has one in each line. */
  get entries() {
    return this.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  /** Never resolves if the text does not come: then the test times out. */
  shows(wanted: string): Promise<void> {
    if (this.text.includes(wanted)) return Promise.resolve();
    return new Promise((resolve) => this.waiting.set(wanted, resolve));
  }
}

/** A command that runs until `stop`, and its output. */
export function running(world: World, line: string, { io, ...options }: RunOptions = {}) {
  const out = new Screen();
  const err = new Screen();
  let interrupt = () => {};
  const ran = world.realmctl(line, {
    ...options,
    onStart: (how) => {
      interrupt = how;
    },
    io: { out, err, ...io },
  });
  const stop = async () => {
    interrupt();
    return (await ran).code;
  };
  return { out, err, ran, stop };
}
