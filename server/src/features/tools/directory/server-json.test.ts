import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { serverJsonSchema } from '@toolgate/contract/directories/server-json-schema.ts';
import { defaultListing } from '@toolgate/contract/projects/listing.ts';
import { defaultSettings } from '@toolgate/contract/projects/settings.ts';
import type { Project } from '../../../access/caller.ts';
import { createValidators } from '../../../engines/json-schema/validator.ts';
import { busy } from '../../../errors/errors.ts';
import { makeServerJson } from './server-json.ts';

const validators = createValidators(busy);
after(() => validators.close());
const validate = await validators.validatorFor('server.json', serverJsonSchema, 'org_1');
const isValid = (entry: unknown) => validate(entry) === null;

const listing = { ...defaultListing, description: 'Find orders.', version: '1.0.0' };
const make = (
  fields: { name?: string; listing?: object; mcp_server_name?: string },
  public_url = 'https://a.example.com',
) =>
  makeServerJson(
    {
      id: 'prj_4fTq0cDkXv8mWn2ZbR6yLs',
      name: fields.name ?? 'Shop',
      settings: {
        ...defaultSettings,
        mcp_server_name: fields.mcp_server_name ?? null,
        listing: { ...listing, ...fields.listing },
      },
    } as Project,
    public_url,
  );

test('every entry that is made is valid against the schema of the registry, whatever the project is called', () => {
  const names = ['Shop', 'x'.repeat(128), '日本語', '../../etc', '👍'.repeat(64), 'a/b', ' - ', 'Ünïcödé'];
  for (const name of names)
    for (const public_url of ['https://a.example.com', 'https://example.com:8443', 'http://127.0.0.1:3000'])
      for (const more of [{}, { homepage_url: 'https://example.com/%20', icon_url: 'https://example.com/i.svg' }]) {
        const entry = make({ name, listing: { description: name.repeat(20).slice(0, 1024), ...more } }, public_url);
        assert.ok('name' in entry);
        assert.deepEqual(validate(entry), null, JSON.stringify(entry));
        assert.ok(entry.description.length <= 100 && entry.description.isWellFormed());
      }
});

test('the name is the reversed domain and the name of the server, or the id of the project if it has no letter for it', () => {
  const nameOf = (...given: Parameters<typeof make>) => (make(...given) as { name: string }).name;
  assert.equal(nameOf({}), 'com.example.a/shop');
  assert.equal(nameOf({ mcp_server_name: 'Acme Shop' }), 'com.example.a/acme-shop');
  assert.equal(nameOf({ name: '日本語' }), 'com.example.a/prj-4ftq0cdkxv8mwn2zbr6yls');
});

test('without a version or a description there is no entry, and the field is named', () => {
  assert.deepEqual((make({ listing: { version: null } }) as { field: string }).field, 'listing.version');
  assert.deepEqual((make({ listing: { description: null } }) as { field: string }).field, 'listing.description');
});

test('the schema refuses what the registry refuses', () => {
  const entry = { name: 'com.example/shop', description: 'Find orders.', version: '1.0.0' };
  const withPackage = (fields: object) => ({
    ...entry,
    packages: [{ registryType: 'npm', identifier: '@a/b', transport: { type: 'stdio' }, ...fields }],
  });
  assert.ok(isValid(entry));
  assert.ok(
    isValid({ ...entry, remotes: [{ type: 'sse', url: 'https://example.com/{tenant}', variables: { tenant: {} } }] }),
  );
  assert.ok(isValid(withPackage({ version: '1.0.0', packageArguments: [{ type: 'positional', valueHint: 'path' }] })));
  for (const wrong of [
    { ...entry, name: undefined },
    { ...entry, name: 'shop' },
    { ...entry, name: 'com.example/a/b' },
    { ...entry, name: 'com example/shop' },
    { ...entry, name: `com.example/${'x'.repeat(200)}` },
    { ...entry, description: '' },
    { ...entry, description: 'x'.repeat(101) },
    { ...entry, version: undefined },
    { ...entry, version: '1'.repeat(256) },
    { ...entry, websiteUrl: 'example' },
    { ...entry, icons: [{ src: `https://example.com/${'x'.repeat(255)}` }] },
    { ...entry, remotes: [{ type: 'stdio' }] },
    { ...entry, remotes: [{ type: 'streamable-http' }] },
    withPackage({ version: 'latest' }),
    withPackage({ transport: { type: 'carrier pigeon' } }),
    withPackage({ packageArguments: [{ type: 'positional' }] }),
    withPackage({ packageArguments: [{ type: 'named' }] }),
    withPackage({ environmentVariables: [{ value: 'x' }] }),
  ])
    assert.ok(!isValid(JSON.parse(JSON.stringify(wrong))), JSON.stringify(wrong));
});
