/** Time and chance, as tests want to replace them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Ends early, without an error, when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
}
