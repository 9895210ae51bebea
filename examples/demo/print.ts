// What the demo says: numbered steps with a few plain lines each.

export type Print = {
  /** Begins the next step. */
  step(title: string): void;
  say(...lines: string[]): void;
};

/** Prints nothing after the signal. */
export function createPrint(signal: AbortSignal): Print {
  let steps = 0;
  const write = (text: string) => {
    if (!signal.aborted) process.stdout.write(`${text}\n`);
  };
  return {
    step(title) {
      steps += 1;
      write(`\n${steps}. ${title}`);
    },
    say(...lines) {
      for (const line of lines) write(`   ${line}`);
    },
  };
}
