// Which hosts of a tool get its certificate: its API, and the endpoint that issues its tokens.

import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { checkCertificateUse } from '../../activity/certificates/check-use.ts';
import type { ToolRow } from './tool.ts';

type Saved = Pick<ToolRow, 'certificate_id' | 'base_url' | 'auth_config'>;

/** `old` is null for a new tool. Call it in the transaction that saves the tools. */
export async function checkCertificates(
  app: App,
  caller: Caller,
  saves: readonly { old: Saved | null; saved: Saved }[],
): Promise<void> {
  for (const { old, saved } of saves)
    await checkCertificateUse(app, caller, old && certificateUser(old), certificateUser(saved));
}

const certificateUser = ({ certificate_id, base_url, auth_config }: Saved) => ({
  certificate_id,
  hosts: { base_url, 'auth_config.token_url': auth_config.token_url },
});
