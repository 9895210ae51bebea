// toolgate doctor: checks everything that a server needs on this machine, and names the command that fixes each problem. It changes
// nothing; an embedded database that is stopped is started for the check, and stopped again.

import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import type { Environment } from '../config/read.ts';
import { findServer } from '../config/running-server.ts';
import { findRunning } from '../database/embedded.ts';
import { probeAddress } from '../http/listen-address.ts';
import { askServer } from './ask-server.ts';
import { settingsBeside } from './beside-server.ts';
import { type Check, fail, ok, warn } from './check-result.ts';
import { checkAuthorities } from './doctor-authorities.ts';
import { checkEgress } from './doctor-egress.ts';
import { checkRedis } from './doctor-redis.ts';
import { checkDatabase } from './doctor-store.ts';
import { hasEmbeddedStore } from './open-store.ts';

const NODE_MAJOR = 24;
const GIGABYTE = 1024 ** 3;

export type DoctorOptions = {
  /** Also says whether tools and webhooks may call this URL. */
  url?: string | undefined;
};

export async function diagnose(environment: Environment, { url }: DoctorOptions = {}): Promise<Check[]> {
  const node = checkNode(process.versions.node);
  const config = readSettings(environment);
  if (config instanceof ConfigError) {
    return [node, fail('settings', config.message.replace(/\s*\n\s*/g, ' '), 'npx toolgate start --help')];
  }
  return [
    node,
    ok('settings', 'all settings are valid'),
    await checkDataFolder(config),
    await checkDisk(config),
    ...(await checkDatabase(config)),
    await checkPort(config),
    ...(await checkEgress(config, url)),
    await checkAuthorities(environment.NODE_EXTRA_CA_CERTS),
    await checkRedis(config.redis.url),
  ];
}

function readSettings(environment: Environment): Config | ConfigError {
  try {
    return readConfig(settingsBeside(environment));
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function checkNode(version: string): Check {
  const is_supported = Number(version.split('.')[0]) >= NODE_MAJOR;
  if (is_supported) return ok('node', `Node ${version}`);
  return fail('node', `Node ${version} is too old: toolgate requires ${NODE_MAJOR} or newer`, 'https://nodejs.org');
}

async function checkDataFolder({ data_dir, database_url }: Config): Promise<Check> {
  const name = 'data folder';
  const folder = nearestExisting(data_dir);
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail(name, `this user cannot write to ${folder}`, `sudo chown -R "$(id -un)" ${folder}`);
  }
  if (folder !== data_dir) return ok(name, `${data_dir} is created at the first start`);
  // Entering it is allowed: an embedded PostgreSQL that root started passes through.
  if (((await stat(data_dir)).mode & 0o066) !== 0)
    return warn(name, `other users can read ${data_dir}`, `chmod 700 ${data_dir}`);
  if (!database_url && hasEmbeddedStore(data_dir) && !existsSync(join(data_dir, 'postgres.password')))
    return fail(name, `${data_dir}/postgres.password is missing`, 'npx toolgate restore FILE --replace');
  return ok(name, data_dir);
}

async function checkDisk({ data_dir }: Config): Promise<Check> {
  const folder = nearestExisting(data_dir);
  const { bavail, bsize } = await statfs(folder);
  const free = (bavail * bsize) / GIGABYTE;
  const message = `${free.toFixed(1)} GB free in ${folder}`;
  const fix = `du -sh ${folder}; lower TOOLGATE_CALL_LOG_DAYS, or move the folder to a larger disk`;
  if (free < 0.2) return fail('disk', message, fix);
  return free < 2 ? warn('disk', message, fix) : ok('disk', message);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** The port is free, or toolgate listens on it and is ready. */
async function checkPort(config: Config): Promise<Check> {
  const { host, port } = config;
  const place = `${host}:${port}`;
  const health = await askServer(config, '/healthz');
  if (health?.is_toolgate) {
    if ((await askServer(config, '/readyz'))?.status === 200) return ok('service', `toolgate is ready on ${place}`);
    return fail(
      'service',
      `toolgate on ${place} is not ready: it cannot reach its database`,
      'npx toolgate doctor, after the database is running',
    );
  }
  try {
    await probeAddress(config);
  } catch (error) {
    const fix = `PORT=${port + 1} npx toolgate start`;
    return fail('service', `${(error as Error).message}; the program that listens there is not toolgate`, fix);
  }
  const running = findServer(config.data_dir);
  if (running !== null) {
    const message = `nothing listens on ${place}: the server of ${config.data_dir} listens on ${running.listen_url}`;
    return fail('service', message, 'unset HOST and PORT, and run npx toolgate doctor again');
  }
  const is_running = !config.database_url && hasEmbeddedStore(config.data_dir) && (await findRunning(config.data_dir));
  if (is_running) {
    return fail(
      'service',
      `nothing listens on ${place}, but PostgreSQL runs in ${config.data_dir}: its server was killed`,
      'npx toolgate start',
    );
  }
  return fail('service', `nothing listens on ${place}: the server is not running`, 'npx toolgate start');
}
