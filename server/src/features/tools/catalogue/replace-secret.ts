// The secrets of a tool after an update. A signing secret that is replaced keeps signing for 24 hours next to its successor.

import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import type { App } from '../../../app.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import { hasSecret } from './auth-rules.ts';
import { destinationOf, type SecretColumn, type SecretOwner, secretContext } from './secret-context.ts';
import type { ToolSecrets } from './store.ts';
import type { ToolRow } from './tool.ts';

/** Time enough to deploy the new secret to every receiver. */
const ROTATION_MS = 24 * 3_600_000;

/** `secret` is undefined when the update does not change it, null when it removes it. */
export async function replaceSecret(
  app: App,
  row: ToolRow,
  definition: CustomToolDefinition,
  secret: string | null | undefined,
): Promise<ToolSecrets> {
  const { auth_strategy } = definition;
  const saved = { ...definition, id: row.id };
  if (!hasSecret(auth_strategy))
    return { auth_secret: null, previous_auth_secret: null, previous_secret_ends_at: null };
  if (secret === undefined) return keepSecrets(app, row, saved);
  const isSigning = auth_strategy === 'hmac_signature' && row.auth_strategy === 'hmac_signature';
  const current = isSigning && secret !== null ? await openSecret(app, row, 'auth_secret') : null;
  // A client that retries, or sends the secret with every update, must not end the rotation.
  if (current !== null && sameBytes(current, Buffer.from(secret as string))) return keepSecrets(app, row, saved);
  const seal = (column: SecretColumn, text: string | Buffer) =>
    app.secrets.seal(app.database, row.project_id, secretContext(saved, column), text);
  const previous = current && (await seal('previous_auth_secret', current));
  return {
    auth_secret: secret && (await seal('auth_secret', secret)),
    previous_auth_secret: previous,
    previous_secret_ends_at: previous && new Date(app.now() + ROTATION_MS).toISOString(),
  };
}

/** False if the stored secret cannot be opened. */
export async function isSameSecret(
  app: App,
  row: StoredSecret<'auth_secret'>,
  secret: string | null,
): Promise<boolean> {
  if (secret === null) return row.auth_secret === null;
  const current = await openSecret(app, row, 'auth_secret');
  return current !== null && sameBytes(current, Buffer.from(secret));
}

/** Seals again when the destination changes; refuseToMoveSecret() allows that for signing secrets only. */
async function keepSecrets(app: App, row: ToolRow, saved: SecretOwner): Promise<ToolSecrets> {
  const { auth_secret, previous_auth_secret, previous_secret_ends_at } = row;
  if (destinationOf(row) === destinationOf(saved))
    return { auth_secret, previous_auth_secret, previous_secret_ends_at };
  const reseal = async (column: SecretColumn) => {
    const text = await openSecret(app, row, column);
    // An unreadable secret is not changed and stays unreadable.
    return text === null
      ? row[column]
      : app.secrets.seal(app.database, row.project_id, secretContext(saved, column), text);
  };
  return {
    auth_secret: await reseal('auth_secret'),
    previous_auth_secret: await reseal('previous_auth_secret'),
    previous_secret_ends_at,
  };
}

type StoredSecret<Column extends SecretColumn> = SecretOwner & Pick<ToolRow, 'project_id' | Column>;

/** Returns null if there is no secret or it cannot be opened. */
export async function openSecret<Column extends SecretColumn>(
  app: App,
  row: StoredSecret<Column>,
  column: Column,
): Promise<Buffer | null> {
  const blob: string | null = row[column];
  if (blob === null) return null;
  try {
    return await app.secrets.open(app.database, row.project_id, secretContext(row, column), blob);
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}
