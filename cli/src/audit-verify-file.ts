// toolgate audit verify-file: for whoever has files of an audit stream. Needs no API key, no database and no operator.

import { readFileSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import { type AuditKeys, findGap, verifyFile } from './audit-file.ts';
import { addressOf } from './client.ts';
import { Failure } from './failure.ts';
import { printJson, printLine, wantsJson } from './output.ts';
import { visibleName } from './visible.ts';

export function addVerifyFileCommand(group: Command): void {
  group
    .command('verify-file')
    .description('verify files that a log stream of the audit log wrote, and that none is missing between them')
    .argument('<file...>', 'the files, compressed or not')
    .option('--keys <file>', 'the published keys, from a copy of GET /api/v1/audit-keys; fetched from --url by default')
    .action(async (files, { keys: keysFile }, command) => {
      const keys = keysFile === undefined ? await fetchKeys(addressOf(command)) : readKeys(keysFile);
      const reports = files.map((file) => verifyFile(file, read(file), keys));
      const gap = findGap(reports);
      const is_intact = gap === null && reports.every(({ problem }) => problem === null);
      if (wantsJson(command)) printJson({ is_intact, gap, files: reports });
      else {
        for (const { file, problem, head } of reports) printLine(`${visibleName(file)}\t${problem ?? describe(head)}`);
        if (gap !== null) printLine(visibleName(gap));
      }
      if (!is_intact) throw new Failure('the files are not as they were written');
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
  const help = 'Give --url, or --keys with a copy of the keys.';
  const answer = await fetch(address).catch(() => {
    throw new Failure(`${address} cannot be reached. ${help}`);
  });
  if (!answer.ok) throw new Failure(`${address} returned ${answer.status}. ${help}`);
  return keysOf(await answer.text(), address);
}

function keysOf(text: string, place: string): AuditKeys {
  try {
    const value = JSON.parse(text) as AuditKeys;
    if (Array.isArray(value.keys)) return value;
  } catch {
    // Reported below.
  }
  throw new Failure(`${place} has no key set: {"keys": […]} of GET /api/v1/audit-keys.`);
}
