import { execFile } from "node:child_process";

/**
 * Whether the checkout has files below a directory, by what Git says. Where there is no Git, or no repository, nothing says so.
 * @param workspace absolute path of the checkout
 */
export function isTracked(workspace: string, directory: string): Promise<boolean> {
  // In a container, the checkout belongs to another account than the one that asks.
  const asked = ["-c", "safe.directory=*", "ls-files", "-z", "--", directory];
  const options = { cwd: workspace, timeout: 10_000, maxBuffer: 1024 * 1024 };
  return new Promise((resolved) => {
    execFile("git", asked, options, (error, listed) => resolved(error === null ? listed !== "" : isTooLong(error)));
  });
}

/** Then the list is longer than is read of it. */
const isTooLong = (error: Error): boolean => "code" in error && error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
