// Sessions of members: by the person's id alone outside of production, or by an assertion signed with a key file.

import type { AssertionAlgorithm, MemberSession, Toolgate } from '../../sdk/src/index.ts';
import { signMemberAssertion } from '../../sdk/src/index.ts';
import { UsageError } from './failure.ts';
import type { Field } from './fields.ts';
import { readText } from './read-input.ts';

type Signing = { signing_key?: string; kid?: string; algorithm?: string };

export const signingFields: Field[] = [
  {
    flag: '--signing-key <file>',
    field: 'signing_key',
    description: 'sign an assertion with this private key (PEM), as production needs it',
  },
  { flag: '--kid <kid>', field: 'kid', description: 'the kid of its registered public key' },
  { flag: '--algorithm <name>', field: 'algorithm', description: 'ES256 by default' },
];

export async function memberSession(
  toolgate: Toolgate,
  projectId: string,
  memberId: string,
  { signing_key, kid, algorithm = 'ES256' }: Signing,
): Promise<MemberSession> {
  if (signing_key === undefined) return toolgate.memberSessions.create({ memberExternalId: memberId });
  if (kid === undefined) throw new UsageError('--signing-key needs --kid.');
  const memberAssertion = await signMemberAssertion({
    privateKey: await readText(signing_key),
    kid,
    algorithm: algorithm as AssertionAlgorithm,
    projectId,
    memberId,
  });
  return toolgate.memberSessions.create({ memberAssertion });
}
