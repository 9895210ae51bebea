// Runs test files in several processes. A process runs many files: to load and compile the server takes longer than
// most files do. Each file still starts its own servers, with databases of their own.

import { cpuSeconds } from './process-tree.ts';
import { openReport, type Report } from './report.ts';
import { timesTable } from './times.ts';
import { type FileRun, startWorker, type Worker } from './worker-process.ts';

/** Files that measure or change their whole process, by the end of their path. */
const OWN_PROCESS = [
  '/validator-memory.test.ts', // measures the heap
  '/http1/request-retention.test.ts', // searches the heap, which other files make large
  '/outbound/send.test.ts', // sets the variables of a proxy
  '/tools-import-large.test.ts', // measures the delay of the event loop
];

/** Then a new process goes on: what a file has left in memory is given back. */
const FILES_PER_PROCESS = 60;

/** What has the longest files is run first, so that none is begun last and runs alone. */
const LONGEST = ['faults/', 'examples/', 'cli/', 'dashboard/', 'server/test/mcp/', 'server/test/process/'];

type Options = { concurrency: number; environment: NodeJS.ProcessEnv };

/** Returns the exit code. */
export async function runFiles(files: string[], { concurrency, environment }: Options): Promise<number> {
  const isLong = (file: string) => LONGEST.some((folder) => file.startsWith(folder));
  const queue = [...files.filter(isLong), ...files.filter((file) => !isLong(file))];
  const state: Run = {
    queue,
    environment,
    report: openReport({ is_live: files.length === 1 }),
    workers: new Set(),
    runs: [],
    code: 0,
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      queue.length = 0;
      for (const worker of state.workers) worker.kill(signal);
    });
  await Promise.all(Array.from({ length: Math.min(concurrency, files.length) }, () => runQueue(state)));
  if (files.length > 1) process.stdout.write(`\n${timesTable(state.runs, cpuSeconds(process.pid))}\n`);
  const failed = await state.report.end();
  return failed > 0 ? 1 : state.code;
}

type Run = {
  queue: string[];
  environment: NodeJS.ProcessEnv;
  report: Report;
  workers: Set<Worker>;
  runs: FileRun[];
  code: number;
};

async function runQueue(run: Run): Promise<void> {
  let worker: Worker | null = null;
  let count = 0;
  const end = async () => {
    count = 0;
    if (!worker) return;
    const code = await worker.end();
    run.code ||= code;
    run.workers.delete(worker);
    worker = null;
  };
  for (let file = run.queue.shift(); file !== undefined; file = run.queue.shift()) {
    const is_alone = OWN_PROCESS.some((path) => file.endsWith(path));
    if (is_alone) await end();
    worker ??= startWorker(run.environment);
    run.workers.add(worker);
    const written = run.report.open(file);
    run.runs.push(await worker.run(file, written.add));
    written.close();
    count += 1;
    if (is_alone || count === FILES_PER_PROCESS || worker.hasEnded()) await end();
  }
  await end();
}
