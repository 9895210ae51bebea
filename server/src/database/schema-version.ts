// The newest migration that this version knows. Every connection has its number in the application name, so that a newer version
// sees which versions run beside it.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../installation.ts';

export const migrationsFolder = join(root, 'server/migrations');

export const isMigration = (name: string) => /^\d{4}_\w+\.sql$/.test(name);
export const numberOf = (name: string) => Number(name.slice(0, 4));

const newest = Math.max(...readdirSync(migrationsFolder).filter(isMigration).map(numberOf));

export const applicationName = `toolgate ${String(newest).padStart(4, '0')}`;

/** A condition on pg_stat_activity: a connection of a server, of any version. */
export const isServerConnection = "application_name ~ '^toolgate [0-9]{4}$'";
