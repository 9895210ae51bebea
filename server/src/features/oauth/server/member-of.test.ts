import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmailAddress } from './member-of.ts';

const addresses = [
  'ada@example.com',
  'Ada.Lovelace+tools@mail.example.co.uk',
  "o'hara@example.com",
  'a@xn--bcher-kva.example',
];

for (const text of addresses) test(`${text} is an email address`, () => assert.equal(isEmailAddress(text), true));

const others = {
  "a customer's own id": 'user_42',
  'the id of a member at a provider': 'google:1034567',
  'the id of a member whose subject is an address': 'oidc:ada@example.com',
  'a domain without a dot': 'ada@localhost',
  'no local part': '@example.com',
  'two at signs': 'ada@evil.com@example.com',
  'a space': 'ada @example.com',
  'a line break': 'ada@example.com\n',
  'a quoted local part': '"ada"@example.com',
  'an address literal': 'ada@[10.0.0.1]',
  'a dot at the end': 'ada@example.com.',
  'two dots': 'ada..lovelace@example.com',
  'a Kelvin sign, whose lower case is k': 'ada@\u212Aelvin.com',
  'a letter that only looks like one': '\u0430da@example.com',
  'a local part that is too long': `${'a'.repeat(65)}@example.com`,
  'a text that is too long': `ada@${'a.'.repeat(130)}com`,
  nothing: '',
};

for (const [what, text] of Object.entries(others))
  test(`${what} is no email address`, () => assert.equal(isEmailAddress(text), false));
