// Which environment variables a file may name. A file is written by others, and what it names is sent to hosts that it names: so the
// command line decides, not the file.

import { Failure, UsageError } from '../failure.ts';
import { visibleName } from '../visible.ts';

export const PREFIX = 'TOOLGATE_SECRET_';

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** What opens toolgate itself, or its data. */
const own = /^(?:TOOLGATE_(?!SECRET_)\w*|DATABASE_URL|REDIS_URL|PGPASSWORD)$/i;

/** --allow-env NAME, which may be repeated. */
export function collectAllowed(name: string, previous: string[] | undefined): string[] {
  if (!variableName.test(name))
    throw new UsageError(`--allow-env ${visibleName(name)} is not the name of an environment variable.`);
  if (own.test(name)) throw new UsageError(`--allow-env ${name}: a file cannot use toolgate's own credentials.`);
  return [...(previous ?? []), name];
}

/** `place` says where the file names it, and `host` who would get it. */
export function refuseVariable(variable: string, allowed: readonly string[], place: string, host: string): void {
  if (own.test(variable))
    throw new Failure(`${place}: \${${variable}} is one of toolgate's own credentials, which a file cannot use.`);
  if (variable.startsWith(PREFIX) || allowed.includes(variable)) return;
  throw new Failure(
    `${place}: \${${variable}} is not allowed. To send it to ${host}, add --allow-env ${variable}, or use a variable whose name begins with ${PREFIX}.`,
  );
}
