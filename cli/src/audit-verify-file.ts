// toolgate audit verify-file: for whoever has files of an audit stream. Needs no API key, no database and no operator.

import { readFileSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import { type AuditKeys, findGap, verifyFile } from './audit-file.ts';
import { addressOf } from './client.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { printJson, printLine, wantsJson } from './output.ts';
import { visibleName } from './visible.ts';

export function addVerifyFileCommand(group: Command, context: Context): void {
  group
    .command('verify-file')
    .description('verify audit log files written by a log stream, and that none is missing between them')
    .argument('<file...>', 'the files, compressed or not')
    .option('--keys <file>', 'a copy of the keys from GET /api/v1/audit-keys; default: fetched from --url')
    .action(async (files, { keys: keysFile }, command) => {
      const keys = keysFile === undefined ? await fetchKeys(addressOf(context, command)) : readKeys(keysFile);
      const reports = files.map((file) => verifyFile(file, read(file), keys));
      const gap = findGap(reports);
      const is_intact = gap === null && reports.every(({ problem }) => problem === null);
      if (wantsJson(command)) printJson(context, { is_intact, gap, files: reports });
      else {
        for (const { file, problem, head } of reports)
          printLine(context, `${visibleName(file)}\t${problem ?? describe(head)}`);
        if (gap !== null) printLine(context, visibleName(gap));
      }
      if (!is_intact) throw new Failure('the files were changed after they were written');
    });
}

const describe = (head: { entries: number; seq: number; hash: string } | null) =>
  head ? `intact, ${head.entries} entries; the chain ends with ${head.seq}:${head.hash}` : '';

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Failure(`${visibleName(file)} cannot be read: ${(error as Error).message}`);
  }
}

function readKeys(file: string): AuditKeys {
  return keysOf(read(file).toString(), visibleName(file));
}

async function fetchKeys(url: string): Promise<AuditKeys> {
  const address = `${url.replace(/\/+$/, '')}/api/v1/audit-keys`;
  const help = 'Set --url, or --keys with a copy of the keys.';
  const response = await fetch(address).catch(() => {
    throw new Failure(`${address} cannot be reached. ${help}`);
  });
  if (!response.ok) throw new Failure(`${address} returned ${response.status}. ${help}`);
  return keysOf(await response.text(), address);
}

function keysOf(text: string, place: string): AuditKeys {
  try {
    const value = JSON.parse(text) as AuditKeys;
    if (Array.isArray(value.keys)) return value;
  } catch {
    // Reported below.
  }
  throw new Failure(`${place} has no key set: it must be {"keys": […]} from GET /api/v1/audit-keys.`);
}
