// Tries the rules for members, saved or not, with claims that somebody pastes. The function is that of the server.

import { type MemberClaims, ruleMatches, toolsetsOfMember } from '@toolgate/contract/projects/toolsets-of-member.ts';
import { useState } from 'react';
import { cn } from '../../ui/class-names.ts';
import { controlClass, Field } from '../../ui/forms/field.tsx';
import { jsonProblem } from '../../ui/forms/json.tsx';
import { ToolsetLink } from '../tool-access/links.tsx';
import { useToolsets } from '../tool-access/toolsets.ts';
import { readRules } from './member-rules.ts';

const EXAMPLE = '{ "role": "support", "groups": ["staff", "emea"] }';

export function MemberAccessTester({ draft }: { draft: string }) {
  const [text, setText] = useState('');
  const { claims, problem } = readClaims(text);
  return (
    <div className="grid grid-cols-1 gap-3 border-line border-t pt-4">
      <Field
        label="Try the rules"
        hint="Paste claims as JSON. Nothing is sent, and unsaved rules are included."
        error={problem ?? undefined}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            spellCheck={false}
            autoComplete="off"
            placeholder={EXAMPLE}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={cn(controlClass, 'py-2 font-mono text-xs leading-5')}
          />
        )}
      </Field>
      {claims && <Outcome draft={draft} claims={claims} />}
    </div>
  );
}

function readClaims(text: string): { claims: MemberClaims | null; problem: string | null } {
  if (text.trim() === '') return { claims: null, problem: null };
  const problem = jsonProblem(text);
  if (problem) return { claims: null, problem };
  const claims: unknown = JSON.parse(text);
  const isObject = typeof claims === 'object' && claims !== null && !Array.isArray(claims);
  return isObject
    ? { claims: claims as MemberClaims, problem: null }
    : { claims: null, problem: 'Claims are an object: { "role": "support" }' };
}

function Outcome({ draft, claims }: { draft: string; claims: MemberClaims }) {
  const access = readRules(draft);
  const slugs = toolsetsOfMember(access, claims);
  const matching = access.rules.flatMap((rule, index) => (ruleMatches(rule, claims) ? [index + 1] : []));
  return (
    <section role="status" aria-label="Outcome" className="rounded-md bg-sunken p-3">
      <p className="font-medium">
        {slugs === null && 'This member sees all tools.'}
        {slugs?.length === 0 && <span className="text-warning">This member sees no tools.</span>}
        {slugs && slugs.length > 0 && 'This member sees:'}
      </p>
      {slugs && slugs.length > 0 && <Toolsets slugs={slugs} />}
      {access.rules.length > 0 && (
        <p className="mt-1 text-muted text-xs">
          {matching.length === 0 ? 'No rule matches.' : `Matching: rule ${matching.join(', rule ')}.`}
        </p>
      )}
    </section>
  );
}

function Toolsets({ slugs }: { slugs: string[] }) {
  const toolsets = useToolsets();
  return (
    <ul aria-label="Toolsets of this member" className="flex flex-wrap gap-x-3">
      {slugs.map((slug) => {
        const toolset = toolsets?.find((each) => each.slug === slug);
        return <li key={slug}>{toolset ? <ToolsetLink toolset={toolset} /> : <code>{slug}</code>}</li>;
      })}
    </ul>
  );
}
