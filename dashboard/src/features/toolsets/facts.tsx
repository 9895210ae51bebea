// What the list and the page of a toolset share: how OAuth clients get it, and how a model does.

import type { toolsetExposures, toolsetGrants } from '@toolgate/contract/toolsets/rules.ts';
import type { Toolset } from '@toolgate/sdk';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Choice } from '../../ui/forms/radio.tsx';
import { count } from '../../ui/words.ts';

export type Grant = (typeof toolsetGrants)[number];
export type Exposure = (typeof toolsetExposures)[number];

export const grantWords: Record<Grant, string> = {
  baseline: 'With sign-in',
  on_request: 'On request',
  never: 'Not by OAuth',
};

const grantTones: Record<Grant, Tone> = { baseline: 'accent', on_request: 'success', never: 'neutral' };

export function GrantBadge({ grant }: { grant: Grant }) {
  return <Badge tone={grantTones[grant]}>{grantWords[grant]}</Badge>;
}

const grantTexts: Record<Grant, string> = {
  baseline: 'Every app that signs people in asks for it. It is selected by default on the consent page.',
  on_request: 'An app asks the person for it when a model calls one of its tools.',
  never: "People can't grant it. Keys, rules for members and its MCP URL can still limit callers to it.",
};

export const grantChoices = (Object.keys(grantWords) as Grant[]).map(
  (value): Choice<Grant> => ({ value, label: grantWords[value], description: grantTexts[value] }),
);

export const exposureWords: Record<Exposure, string> = { list: 'Listed', search: 'Searched' };

export function ExposureText({ toolset: { exposure, pinned_tool_ids } }: { toolset: Toolset }) {
  return (
    <>
      {exposureWords[exposure]}
      {exposure === 'search' && pinned_tool_ids.length > 0 && (
        <div className="text-faint text-xs">{count(pinned_tool_ids.length, 'pinned tool')}</div>
      )}
    </>
  );
}
