// The events of assertion keys.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { assertionKey } from './assertion-key.ts';

const example = {
  object: 'assertion_key',
  id: 'akey_2rNv7yLhWq4xTm9PdK1sBc',
  project_id: exampleIds.project_id,
  kid: 'backend-2026',
  algorithm: 'Ed25519',
  public_key: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
  fingerprint: 'SHA256:xCb0nVz2kJ7Zt0m4e3cVbT1f9H6yQpRsWuXoLd8aGiM',
  status: 'active',
  created_at: exampleTime,
  created_by: exampleIds.api_key_id,
  deactivated_at: null,
};

const kind = (description: string) =>
  ({ description, data: assertionKey, example, readable_with: 'read' }) satisfies EventKind;

export const assertionKeyEvents = {
  'assertion_key.created': kind('A public key was registered'),
  'assertion_key.deactivated': kind('A public key was deactivated and no longer verifies assertions'),
  'assertion_key.deleted': kind('A public key was deleted'),
};
