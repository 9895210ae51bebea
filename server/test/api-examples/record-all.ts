// Runs every recording: each function that a file of recordings/ exports.

import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Examples } from '../../src/http/openapi-examples.ts';
import { type Recorder, startRecorder } from './recorder.ts';

type Recording = (recorder: Recorder) => Promise<void>;

/** The content of api-examples.json. Sorted, so that the order of the recordings does not matter. */
export async function recordAll(given?: Recorder): Promise<string> {
  const recorder = given ?? (await startRecorder());
  const { server } = recorder;
  for (const recording of await findRecordings()) {
    await recording(recorder);
    // It may have moved the clock.
    server.advance(Date.now() - server.app.now());
  }
  await Promise.all([recorder.customer.close(), recorder.openid.close()]);
  const { operations, errors } = recorder.examples;
  const examples: Examples = { operations: sorted(operations), errors: sorted(errors) };
  return `${JSON.stringify(examples, null, 2)}\n`;
}

async function findRecordings(): Promise<Recording[]> {
  const folder = join(import.meta.dirname, 'recordings');
  const files = globSync('*.ts', { cwd: folder }).sort();
  const modules: Record<string, Recording>[] = await Promise.all(files.map((file) => import(join(folder, file))));
  return modules.flatMap((module) => Object.values(module));
}

const sorted = <T>(all: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)));
