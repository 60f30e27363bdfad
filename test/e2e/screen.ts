import type { Output } from "../../src/cli/io.ts";

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

  /** Never resolves if the text does not come: then the test times out. */
  shows(wanted: string): Promise<void> {
    if (this.text.includes(wanted)) return Promise.resolve();
    return new Promise((resolve) => this.waiting.set(wanted, resolve));
  }
}
