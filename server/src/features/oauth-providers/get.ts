// Reads one provider.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { type ProviderAnswer, showProvider } from './provider.ts';
import { selectProvider } from './store.ts';

export async function getProvider(app: App, caller: Caller, id: string): Promise<ProviderAnswer> {
  const row = await selectProvider(app.database, projectOf(caller).id, id);
  if (!row) throw refuse.notFound();
  return showProvider(row, app.config.public_url);
}
