// The context of this process. Besides main.ts, no other file of the command line uses `process`.

import type { Context } from './context.ts';

export function processContext(): Context {
  const { argv, env, stdin, stdout, stderr } = process;
  return { args: argv.slice(2), environment: env, stdin, stdout, stderr, onInterrupt };
}

function onInterrupt(listener: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.on(name, listener);
  return () => {
    for (const name of signals) process.off(name, listener);
  };
}
