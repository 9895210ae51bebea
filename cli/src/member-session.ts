// Sessions of members: by the person's id alone outside of production, or by an assertion signed with a key file.

import { type AssertionAlgorithm, assertionAlgorithms } from '@toolgate/contract/assertion-keys/rules.ts';
import type { MemberSession, Toolgate } from '../../sdk/src/index.ts';
import { signMemberAssertion } from '../../sdk/src/index.ts';
import { choiceOption, textOption } from './command.ts';
import type { Context } from './context.ts';
import { UsageError } from './failure.ts';
import { readText } from './read-input.ts';

export const signingOptions = {
  signing_key: textOption(
    '--signing-key <file>',
    'sign an assertion with this private key (PEM), as production requires',
  ),
  kid: textOption('--kid <kid>', 'the kid of its registered public key'),
  algorithm: choiceOption('--algorithm <name>', 'ES256 by default', assertionAlgorithms),
};

type Signing = { signing_key?: string; kid?: string; algorithm?: AssertionAlgorithm };

export async function memberSession(
  context: Context,
  toolgate: Toolgate,
  projectId: string,
  memberId: string,
  { signing_key, kid, algorithm = 'ES256' }: Signing,
): Promise<MemberSession> {
  if (signing_key === undefined) return toolgate.memberSessions.create({ memberExternalId: memberId });
  if (kid === undefined) throw new UsageError('--signing-key requires --kid.');
  const memberAssertion = await signMemberAssertion({
    privateKey: await readText(context, signing_key),
    kid,
    algorithm,
    projectId,
    memberId,
  });
  return toolgate.memberSessions.create({ memberAssertion });
}
