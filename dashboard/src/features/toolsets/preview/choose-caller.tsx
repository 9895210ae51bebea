// Chooses who "Preview as" is: a kind, then one of it.

import { useState } from 'react';
import { useProjectQuery } from '../../../api/client.ts';
import { useAccess } from '../../../api/session.ts';
import { cn } from '../../../ui/class-names.ts';
import { controlClass, Field, Options } from '../../../ui/forms/field.tsx';
import { type Option, optionsOf } from '../../../ui/forms/options.ts';
import { readWhole } from '../../../ui/lists/whole-list.ts';
import { useFilters } from '../../../ui/search.ts';
import { type CallerName, callerNames, callerOf, callerWords, onlyCaller } from './caller.ts';

const kinds = optionsOf(callerNames, callerWords);

export function ChooseCaller() {
  const { values, set } = useFilters();
  const caller = callerOf(values);
  const [kind, setKind] = useState<CallerName>(caller?.name ?? 'api_key_id');
  const choose = (id: string) => set(onlyCaller(kind, id || undefined));
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <Select
        label="Preview as"
        value={kind}
        options={kinds}
        onChange={(next) => {
          setKind(next as CallerName);
          set(onlyCaller(next as CallerName, undefined));
        }}
      />
      {kind === 'api_key_id' && <ChooseKey id={values.api_key_id} onChoose={choose} />}
      {kind === 'member_id' && <ChooseMember id={values.member_id} onChoose={choose} />}
      {kind === 'oauth_client_id' && <ChooseClient id={values.oauth_client_id} onChoose={choose} />}
      {kind === 'oauth_grant_id' && <ChooseGrant id={values.oauth_grant_id} onChoose={choose} />}
    </div>
  );
}

type ChooseProps = { id: string | undefined; onChoose: (id: string) => void };

function ChooseKey({ id, onChoose }: ChooseProps) {
  const isAllowed = useAccess().can('manage_keys');
  const keys = useProjectQuery(['api-keys', 'uses'], (api) => readWhole((page) => api.apiKeys.list(page)), {
    enabled: isAllowed,
  }).data?.data;
  if (!isAllowed) return <IdField label="API key" id={id} onChoose={onChoose} />;
  const options = keys?.map((key) => ({
    value: key.id,
    label: key.status === 'active' ? key.name : `${key.name} (${key.status})`,
  }));
  return <ChooseOne label="API key" options={options} id={id} onChoose={onChoose} />;
}

function ChooseClient({ id, onChoose }: ChooseProps) {
  const clients = useProjectQuery(['oauth-clients', 'all'], (api) => readWhole((page) => api.oauthClients.list(page)))
    .data?.data;
  const options = clients?.map((client) => ({ value: client.id, label: client.name }));
  return <ChooseOne label="OAuth client" options={options} id={id} onChoose={onChoose} />;
}

/** There may be many members: a search finds them, and the last ones seen are offered. */
function useMembers(search: string): Option[] | undefined {
  const isAllowed = useAccess().can('admin');
  const members = useProjectQuery(
    ['members', 'preview', search],
    (api) => api.members.list({ limit: 100, ...(search && { search }) }),
    { enabled: isAllowed },
  ).data?.data;
  return members?.map(({ id, external_id }) => ({ value: id, label: external_id }));
}

function ChooseMember({ id, onChoose }: ChooseProps) {
  const [search, setSearch] = useState('');
  const options = useMembers(search);
  if (!useAccess().can('admin')) return <IdField label="Member" id={id} onChoose={onChoose} />;
  return (
    <>
      <MemberSearch search={search} onSearch={setSearch} />
      <ChooseOne label="Member" options={options} id={id} onChoose={onChoose} />
    </>
  );
}

function ChooseGrant({ id, onChoose }: ChooseProps) {
  const isAllowed = useAccess().can('admin');
  const [search, setSearch] = useState('');
  const [memberId, setMember] = useState('');
  const members = useMembers(search);
  const grants = useProjectQuery(
    ['members', 'grants', memberId],
    (api) => api.members.grants.list(memberId, { limit: 100 }),
    { enabled: isAllowed && memberId !== '' },
  ).data?.data;
  if (!isAllowed) return <IdField label="Grant" id={id} onChoose={onChoose} />;
  const options = grants?.map((grant) => ({
    value: grant.id,
    label: `${grant.client_name}, ${grant.created_at.slice(0, 10)}`,
  }));
  return (
    <>
      <MemberSearch search={search} onSearch={setSearch} />
      <ChooseOne label="Member" options={members} id={memberId} onChoose={setMember} />
      {(memberId !== '' || id) && (
        <ChooseOne label="Grant" options={memberId ? options : []} id={id} onChoose={onChoose} />
      )}
    </>
  );
}

function MemberSearch({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  return (
    <Field label="Find a member" className="w-48">
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          className={cn(controlClass, 'h-8')}
        />
      )}
    </Field>
  );
}

/** `options`: undefined until they are known. */
type ChooseOneProps = ChooseProps & { label: string; options: Option[] | undefined };

function ChooseOne({ label, options, id = '', onChoose }: ChooseOneProps) {
  const isUnknown = id !== '' && options?.every(({ value }) => value !== id);
  const known = [...(options ?? []), ...(isUnknown || (id && !options) ? [{ value: id, label: id }] : [])];
  const first = options && known.length === 0 ? `There is no ${label.toLowerCase()}` : `Choose one`;
  return <Select label={label} value={id} options={[{ value: '', label: first }, ...known]} onChange={onChoose} />;
}

type SelectProps = { label: string; value: string; options: Option[]; onChange: (value: string) => void };

function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <Field label={label} className="w-full sm:w-56">
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cn(controlClass, 'select-arrow h-8')}
        >
          <Options options={options} />
        </select>
      )}
    </Field>
  );
}

/** For who may not read the list: an id that somebody gave them. */
function IdField({ label, id = '', onChoose }: ChooseProps & { label: string }) {
  return (
    <Field label={`Id of the ${label === 'API key' ? label : label.toLowerCase()}`} className="w-full sm:w-72">
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          autoComplete="off"
          spellCheck={false}
          defaultValue={id}
          onBlur={(event) => onChoose(event.target.value.trim())}
          onKeyDown={(event) => event.key === 'Enter' && onChoose(event.currentTarget.value.trim())}
          className={cn(controlClass, 'h-8 font-mono text-xs')}
        />
      )}
    </Field>
  );
}
