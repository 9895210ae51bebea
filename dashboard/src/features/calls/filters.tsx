// The filters of the call log. Their names are those of the API.

import { toolCallOutcomes, type Via, vias } from '@toolgate/contract/analytics/rules.ts';
import type { ToolCall } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { optionsOf } from '../../ui/forms/options.ts';
import { FilterBar, SearchFilter, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { TimeFilter } from '../../ui/lists/time-filter.tsx';
import { type Search, useFilters } from '../../ui/search.ts';
import { useCallNames } from './names.ts';

const names = [
  'request_id',
  'outcome',
  'tool_id',
  'api_key_id',
  'integration_id',
  'member_id',
  'error_code',
  'is_test',
  'is_waiting',
  'via',
] as const;
export const callFilterNames = [...names, 'from', 'to'] as const;

type Filters = Record<
  Exclude<(typeof names)[number], 'outcome' | 'is_test' | 'is_waiting' | 'via'>,
  string | undefined
> & {
  outcome: ToolCall['outcome'] | undefined;
  is_test: boolean | undefined;
  is_waiting: boolean | undefined;
  via: Via | undefined;
};

/** `key` names all of them together. */
export function readCallFilters(values: Search) {
  const texts = Object.fromEntries(names.map((name) => [name, values[name]]));
  const isTrue = (value: string | undefined) => (value ? value === 'true' : undefined);
  const booleans = { is_test: isTrue(values.is_test), is_waiting: isTrue(values.is_waiting) };
  const filters = { ...texts, ...booleans } as Filters;
  const times = { from: values.from, to: values.to };
  return { filters, times, key: JSON.stringify([filters, times]) };
}

/** These fold away. */
const rareNames = ['api_key_id', 'integration_id', 'error_code', 'member_id', 'is_test', 'is_waiting', 'via'] as const;

export function LogFilters() {
  const { tools, keys, integrations } = useCallNames();
  const { integration_id } = useFilters().values;
  const hasIntegrations = integrations.length > 0 || integration_id !== undefined;
  return (
    <FilterBar
      names={callFilterNames}
      more={{
        names: rareNames,
        filters: (
          <>
            <SelectFilter name="api_key_id" label="API key" options={keys} />
            {hasIntegrations && <SelectFilter name="integration_id" label="Integration" options={integrations} />}
            <ErrorCodeFilter />
            <SearchFilter name="member_id" label="Member id" className="sm:w-44" />
            <TestFilter />
            <SelectFilter name="is_waiting" label="Confirmation" options={waitingOptions} />
            <SelectFilter name="via" label="Found by" options={found} />
          </>
        ),
      }}
    >
      <SearchFilter name="request_id" label="Request id" className="sm:w-44" />
      <OutcomeFilter />
      <SelectFilter name="tool_id" label="Tool" options={tools} />
      <TimeFilter />
    </FilterBar>
  );
}

const outcomes = optionsOf(toolCallOutcomes);

export const OutcomeFilter = () => <SelectFilter name="outcome" label="Outcome" options={outcomes} />;

export function ErrorCodeFilter() {
  return <SearchFilter name="error_code" label="Error code" className="sm:w-44" suggestions={useErrorCodes()} />;
}

export const TestFilter = () => <SelectFilter name="is_test" label="Tests" options={testOptions} />;

const found = optionsOf(vias, { search: 'Search' });

const testOptions = [
  { value: 'false', label: 'Without tests' },
  { value: 'true', label: 'Only tests' },
];

const waitingOptions = [
  { value: 'false', label: 'Without approval requests' },
  { value: 'true', label: 'Only calls waiting for approval' },
];

/** Those of the last day. */
function useErrorCodes(): string[] {
  const report = useProjectQuery(['analytics', 'error-codes'], (api) =>
    api.analytics.get({ group_by: 'error_code' }),
  ).data;
  return [...new Set(report?.data.map(({ group }) => group).filter((code) => code !== null))];
}
