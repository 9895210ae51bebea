// Run once, by an upgrade: seals again the secrets that were sealed without their destination. Never run again: an attacker who
// stored an old blob next to another address would get it sealed for that address (decision 0058).

import type { App } from '../../app.ts';
import { SecretUnreadable } from '../../secrets/aes-gcm.ts';
import { type SecretColumn, secretContext } from './secret-context.ts';
import { type ResealedTool, selectToReseal, updateSecrets } from './store.ts';

const BATCH_SIZE = 100;

export async function bindSecretsToDestination(app: App): Promise<number> {
  let [after, count] = ['', 0];
  for (;;) {
    const tools = await selectToReseal(app.database, after, BATCH_SIZE);
    for (const tool of tools) {
      const [auth_secret, previous_auth_secret] = [
        await reseal(app, tool, 'auth_secret'),
        await reseal(app, tool, 'previous_auth_secret'),
      ];
      await updateSecrets(app.database, tool, { auth_secret, previous_auth_secret });
      after = tool.id;
      count += 1;
    }
    if (tools.length < BATCH_SIZE) return count;
  }
}

async function reseal(app: App, tool: ResealedTool, column: SecretColumn): Promise<string | null> {
  const blob = tool[column];
  if (blob === null) return null;
  const { destination: _, ...unbound } = secretContext(tool, column);
  try {
    const text = await app.secrets.open(app.database, tool.project_id, unbound, blob);
    return await app.secrets.seal(app.database, tool.project_id, secretContext(tool, column), text);
  } catch (error) {
    // It was unreadable before and is not changed.
    if (error instanceof SecretUnreadable) return blob;
    throw error;
  }
}
