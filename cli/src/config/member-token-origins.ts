// Tools that send the tokens of members, and the origins that the provider of the file allows. The server adds the origin of a tool
// that an admin creates; the next apply of a file that does not list it would remove it again, and the tool would fail.

import { Failure } from '../failure.ts';
import type { Fields } from './comparable.ts';
import type { Document } from './document.ts';
import type { Change } from './plan.ts';

const DESTINATION = ['base_url', 'auth_strategy', 'auth_config'];

/** Refuses before anything is changed. A provider without a list in the file is left as it is. */
export function refuseUnlistedOrigins({ sections }: Document, changes: readonly Change[]): void {
  for (const { section, name, fields, existing } of changes) {
    const isMoved = existing === undefined || DESTINATION.some((field) => field in fields);
    const tool: Fields = { ...existing?.entry, ...fields };
    if (section?.name !== 'tools' || !isMoved || tool.auth_strategy !== 'member_oauth') continue;
    const provider = providerOf(tool, sections.oauth_providers ?? []);
    const origin = originOf(tool.base_url);
    const listed = provider?.allowed_origins;
    if (!Array.isArray(listed) || listed.some((each) => originOf(each) === origin)) continue;
    throw new Failure(
      `${name} would send members' tokens to ${origin}. Add it to allowed_origins of the OAuth provider ${provider?.name}.`,
    );
  }
}

/** A tool may leave its provider out while the project has one. */
function providerOf({ auth_config }: Fields, providers: readonly Fields[]): Fields | undefined {
  const name = (auth_config as Fields | undefined)?.oauth_provider;
  if (name === undefined) return providers.length === 1 ? providers[0] : undefined;
  return providers.find((each) => each.name === name);
}

const originOf = (url: unknown) => URL.parse(String(url))?.origin ?? String(url);
