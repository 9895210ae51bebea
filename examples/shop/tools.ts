// Registers the shop's endpoints as tools; tool-routes.ts answers their calls.

import { shopTools } from '../../contract/src/custom-tools/sample-shop.ts';
import { sealSecret, type Toolgate } from '../../sdk/src/index.ts';

/** `secret` signs every request to the shop. It is encrypted here: nothing between the shop and toolgate can read it. */
export async function registerTools(
  toolgate: Toolgate,
  { base_url, secret }: { base_url: string; secret: string },
): Promise<string[]> {
  const { jwk } = await toolgate.customTools.encryptionKey();
  const names: string[] = [];
  for (const tool of shopTools) {
    const encrypted_auth_secret = await sealSecret({ publicKey: jwk, secret });
    await toolgate.customTools.create({ ...tool, base_url, auth_strategy: 'hmac_signature', encrypted_auth_secret });
    names.push(tool.name);
  }
  return names;
}
