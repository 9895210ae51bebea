// Which keys a restored installation gets: those of the settings, else those of the backup, else those that the folder has.

import { rename } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { type MasterKey, parseMasterKeys } from '../config/master-keys.ts';
import { masterKeyFile } from '../secrets/master-keys.ts';
import { rootKeyFile } from '../secrets/root-key.ts';
import { readIfExists, replaceSecretFile } from '../secrets/secret-file.ts';
import type { BackupHeader } from './backup-file.ts';

export type RestoredKeys = {
  master_keys: MasterKey[];
  /** What to write, by file. */
  files: { path: string; text: string }[];
};

/** Throws if the secrets of the backup could not be opened afterwards. */
export async function chooseRestoredKeys(
  config: Config,
  file: string,
  header: BackupHeader,
  { may_replace }: { may_replace: boolean },
): Promise<RestoredKeys> {
  const chosen = await chooseMasterKeys(config, file, header, may_replace);
  const missing = header.used_master_key_ids.filter((id) => chosen.master_keys.every((key) => key.id !== id));
  if (missing.length > 0) throw new Error(missingMessage(file, header, missing));
  const root = rootKeyFile(config.data_dir);
  const wantsRoot = header.root_key !== null && config.root_key === null && config.database_url === null;
  if (!wantsRoot || (!may_replace && (await readIfExists(root)) !== null)) return chosen;
  return { ...chosen, files: [...chosen.files, { path: root, text: header.root_key ?? '' }] };
}

async function chooseMasterKeys(
  config: Config,
  file: string,
  header: BackupHeader,
  may_replace: boolean,
): Promise<RestoredKeys> {
  if (config.master_keys.length > 0) return { master_keys: config.master_keys, files: [] };
  const path = masterKeyFile(config.data_dir);
  const existing = await readIfExists(path);
  const text = header.master_keys ?? existing;
  if (text === null) {
    throw new Error(`${file} contains no master key: set TOOLGATE_MASTER_KEYS, or put the old master.key at ${path}`);
  }
  const { keys, problems } = parseMasterKeys(text);
  if (problems.length > 0) throw new Error(`the master key is not usable: ${problems.join('; ')}`);
  if (existing === text) return { master_keys: keys, files: [] };
  if (existing !== null && !may_replace)
    throw new Error(`${path} is not the master key of the backup: move it away, or add --replace`);
  return { master_keys: keys, files: [{ path, text }] };
}

function missingMessage(file: string, { master_keys }: BackupHeader, missing: string[]): string {
  const names = missing.map((id) => `"${id}"`).join(', ');
  const where = master_keys === null ? '' : `; the backup contains it: head -n 1 ${file}`;
  return `the backup's secrets are encrypted with master key ${names}: add it to TOOLGATE_MASTER_KEYS${where}`;
}

/** A replaced file is kept beside the new one. Returns the files that were written. */
export async function saveRestoredKeys({ files }: RestoredKeys): Promise<string[]> {
  for (const { path, text } of files) {
    const existing = await readIfExists(path);
    if (existing === text) continue;
    if (existing !== null) await rename(path, `${path}.before-restore`);
    await replaceSecretFile(path, text);
  }
  return files.map(({ path }) => path);
}
