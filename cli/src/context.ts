// What a run of the program has of its surroundings. Commands use this and never the process, so that runs in one process, as in
// tests, share nothing.

export type Output = { write(text: string): unknown; isTTY?: boolean };

export type Context = {
  args: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  /** Calls `listener` on Ctrl-C or SIGTERM, which would otherwise end the process. Returns what removes the listener. */
  onInterrupt(listener: () => void): () => void;
};
