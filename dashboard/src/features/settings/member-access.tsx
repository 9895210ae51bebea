// Which toolsets members see: what everybody sees, rules by claims, and a tester for them.

import { Link } from '@tanstack/react-router';
import { MAX_MEMBER_RULES } from '@toolgate/contract/toolsets/rules.ts';
import { Plus, Trash2 } from 'lucide-react';
import { useController } from 'react-hook-form';
import { useProjectId } from '../../api/client.ts';
import { Button, IconButton, inlineLinkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { controlClass, Field, Options, useFieldError } from '../../ui/forms/field.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { ToolsetBoxes, ToolsetsChoice } from '../tool-access/picker.tsx';
import type { SettingsValues } from './changes.ts';
import { MemberAccessTester } from './member-access-tester.tsx';
import { type RuleDraft, readDraft, type ValueKind, valueKinds, writeDraft } from './member-rules.ts';
import { Part } from './part.tsx';

const kinds = optionsOf(valueKinds, { text: 'the text', number: 'the number', boolean: 'true or false' });
const booleans = optionsOf(['true', 'false']);

export function MemberAccess() {
  const { field } = useController<SettingsValues, 'member_access'>({ name: 'member_access' });
  const error = useFieldError('member_access');
  const draft = readDraft(field.value);
  const setRules = (rules: RuleDraft[]) => field.onChange(writeDraft({ ...draft, rules }));
  const change = (index: number, next: Partial<RuleDraft>) =>
    setRules(draft.rules.map((rule, at) => (at === index ? { ...rule, ...next } : rule)));
  return (
    <Part
      id="member-access"
      title="Tools for members"
      text={<Explanation />}
      facts={<MemberAccessTester draft={field.value} />}
    >
      <ToolsetsChoice
        legend="Every member sees"
        by="slug"
        value={draft.default}
        onChange={(next) => field.onChange(writeDraft({ ...draft, default: next }))}
        allLabel={draft.rules.length > 0 ? 'Only the toolsets that rules give' : 'All tools'}
        allText={
          draft.rules.length > 0
            ? 'A member whom no rule matches sees no tools.'
            : 'Every tool of the project, including tools added later.'
        }
      />
      <fieldset className="grid min-w-0 grid-cols-1 gap-3" aria-describedby={error ? 'member-rules-error' : undefined}>
        <legend className="mb-1.5 font-medium">Rules</legend>
        {draft.rules.length === 0 && (
          <p className="text-muted text-xs">No rules. A rule gives toolsets to members with a claim.</p>
        )}
        {draft.rules.map((rule, index) => (
          <Rule
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity, and all their state is in the draft
            key={index}
            number={index + 1}
            rule={rule}
            onChange={(next) => change(index, next)}
            onRemove={() => setRules(draft.rules.filter((_, at) => at !== index))}
          />
        ))}
        {error && (
          <p id="member-rules-error" role="alert" className="text-danger text-xs">
            {error}
          </p>
        )}
        <div>
          <Button
            size="sm"
            disabled={draft.rules.length >= MAX_MEMBER_RULES}
            onClick={() => setRules([...draft.rules, { claim: '', kind: 'text', value: '', toolsets: [] }])}
          >
            <Plus /> Add rule
          </Button>
        </div>
      </fieldset>
    </Part>
  );
}

function Explanation() {
  return (
    <>
      <p>
        Evaluated when a session starts, with the claims of the ID token or the member assertion. All matching rules
        apply. Rules can only narrow what the key, app and provider allow.
      </p>
      <p className="mt-1">
        <Link to="/projects/$projectId/toolsets" params={{ projectId: useProjectId() }} className={inlineLinkClass}>
          Toolsets
        </Link>
      </p>
    </>
  );
}

type RuleProps = {
  number: number;
  rule: RuleDraft;
  onChange: (change: Partial<RuleDraft>) => void;
  onRemove: () => void;
};

function Rule({ number, rule, onChange, onRemove }: RuleProps) {
  const inputClass = cn(controlClass, 'h-8');
  return (
    <section aria-label={`Rule ${number}`} className="grid min-w-0 grid-cols-1 gap-3 rounded-md border border-line p-3">
      <div className="grid min-w-0 items-end gap-3 sm:grid-cols-[1fr_9rem_1fr_auto]">
        <Field label="Claim">
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              autoComplete="off"
              spellCheck={false}
              placeholder="role"
              value={rule.claim}
              onChange={(event) => onChange({ claim: event.target.value })}
              className={inputClass}
            />
          )}
        </Field>
        <Field label="Is, or contains">
          {(attributes) => (
            <select
              {...attributes}
              value={rule.kind}
              onChange={(event) => onChange(withKind(event.target.value as ValueKind, rule))}
              className={cn(inputClass, 'select-arrow')}
            >
              <Options options={kinds} />
            </select>
          )}
        </Field>
        <RuleValue rule={rule} onChange={onChange} />
        <IconButton label={`Remove rule ${number}`} icon={<Trash2 />} onClick={onRemove} />
      </div>
      <div>
        <p className="mb-1 text-muted text-xs">gives</p>
        <ToolsetBoxes
          by="slug"
          value={rule.toolsets}
          onChange={(toolsets) => onChange({ toolsets })}
          empty={<p className="text-warning text-xs">Empty: choose a toolset.</p>}
        />
      </div>
    </section>
  );
}

const withKind = (kind: ValueKind, { value }: RuleDraft): Partial<RuleDraft> => ({
  kind,
  value: kind === 'boolean' && value !== 'false' ? 'true' : value,
});

function RuleValue({ rule: { kind, value }, onChange }: Pick<RuleProps, 'rule' | 'onChange'>) {
  const inputClass = cn(controlClass, 'h-8');
  return (
    <Field label="Value">
      {(attributes) =>
        kind === 'boolean' ? (
          <select
            {...attributes}
            value={value}
            onChange={(event) => onChange({ value: event.target.value })}
            className={cn(inputClass, 'select-arrow')}
          >
            <Options options={booleans} />
          </select>
        ) : (
          <input
            {...attributes}
            type="text"
            inputMode={kind === 'number' ? 'decimal' : 'text'}
            autoComplete="off"
            spellCheck={false}
            placeholder={kind === 'number' ? '3' : 'support'}
            value={value}
            onChange={(event) => onChange({ value: event.target.value })}
            className={inputClass}
          />
        )
      }
    </Field>
  );
}
