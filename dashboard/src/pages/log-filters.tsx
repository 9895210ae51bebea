// The filters of the call log. Their names are those of the API.

import { useProjectQuery } from '../api.ts';
import { FilterBar, SearchFilter, SelectFilter } from '../components/filter-bar.tsx';
import { TimeFilter } from '../components/time-filter.tsx';
import { type Search, useFilters } from '../search.ts';
import { useCallNames } from './call-names.ts';

const names = [
  'request_id',
  'outcome',
  'tool_id',
  'api_key_id',
  'integration_id',
  'member_id',
  'error_code',
  'is_test',
] as const;
export const callFilterNames = [...names, 'from', 'to'];

type Filters = Record<Exclude<(typeof names)[number], 'outcome' | 'is_test'>, string | undefined> & {
  outcome: 'succeeded' | 'failed' | undefined;
  is_test: boolean | undefined;
};

/** `key` names all of them together. */
export function readCallFilters(values: Search) {
  const texts = Object.fromEntries(names.map((name) => [name, values[name]]));
  const filters = { ...texts, is_test: values.is_test ? values.is_test === 'true' : undefined } as Filters;
  const times = { from: values.from, to: values.to };
  return { filters, times, key: JSON.stringify([filters, times]) };
}

export function LogFilters() {
  const { tools, keys, integrations } = useCallNames();
  const { integration_id } = useFilters().values;
  const hasIntegrations = integrations.length > 0 || integration_id !== undefined;
  return (
    <FilterBar names={callFilterNames}>
      <SearchFilter name="request_id" label="Request id" />
      <OutcomeFilter />
      <SelectFilter name="tool_id" label="Tool" options={tools} />
      <SelectFilter name="api_key_id" label="API key" options={keys} />
      {hasIntegrations && <SelectFilter name="integration_id" label="Integration" options={integrations} />}
      <ErrorCodeFilter />
      <SearchFilter name="member_id" label="Member id" className="sm:w-44" />
      <TestFilter />
      <TimeFilter />
    </FilterBar>
  );
}

const outcomes = ['succeeded', 'failed'].map((value) => ({ value, label: value }));

export const OutcomeFilter = () => <SelectFilter name="outcome" label="Outcome" options={outcomes} />;

export function ErrorCodeFilter() {
  return <SearchFilter name="error_code" label="Error code" className="sm:w-44" suggestions={useErrorCodes()} />;
}

export const TestFilter = () => <SelectFilter name="is_test" label="Tests" options={testOptions} />;

const testOptions = [
  { value: 'false', label: 'Without tests' },
  { value: 'true', label: 'Only tests' },
];

/** Those of the last day. */
function useErrorCodes(): string[] {
  const report = useProjectQuery(['analytics', 'error-codes'], (api) =>
    api.analytics.get({ group_by: 'error_code' }),
  ).data;
  return [...new Set(report?.data.map(({ group }) => group).filter((code) => code !== null))];
}
