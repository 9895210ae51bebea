// Once, by an upgrade: secrets that were sealed before they were bound to their destination are sealed anew. Never again
// afterwards: whoever put an old blob beside another address would have it bound to that (decision 0058).

import type { App } from '../../app.ts';
import { SecretUnreadable } from '../../secrets/aes-gcm.ts';
import { type SecretColumn, secretPlace } from './secret-place.ts';
import { type ResealedTool, selectToReseal, updateSecrets } from './store.ts';

const AT_ONCE = 100;

export async function bindSecretsToDestination(app: App): Promise<number> {
  let [after, count] = ['', 0];
  for (;;) {
    const tools = await selectToReseal(app.database, after, AT_ONCE);
    for (const tool of tools) {
      const [auth_secret, previous_auth_secret] = [
        await reseal(app, tool, 'auth_secret'),
        await reseal(app, tool, 'previous_auth_secret'),
      ];
      await updateSecrets(app.database, tool, { auth_secret, previous_auth_secret });
      after = tool.id;
      count += 1;
    }
    if (tools.length < AT_ONCE) return count;
  }
}

async function reseal(app: App, tool: ResealedTool, column: SecretColumn): Promise<string | null> {
  const blob = tool[column];
  if (blob === null) return null;
  const { destination: _, ...unbound } = secretPlace(tool, column);
  try {
    const text = await app.secrets.open(app.database, tool.project_id, unbound, blob);
    return await app.secrets.seal(app.database, tool.project_id, secretPlace(tool, column), text);
  } catch (error) {
    // It was unreadable before, and stays so.
    if (error instanceof SecretUnreadable) return blob;
    throw error;
  }
}
