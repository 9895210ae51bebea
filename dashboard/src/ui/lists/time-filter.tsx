// Selects a time: the last hour, day or week, since a moment, or between two. `from` and `to` are in the URL as the API takes them.

import { cn } from '../class-names.ts';
import { controlClass } from '../forms/field.tsx';
import { useFilters } from '../search.ts';
import { exactTime, useNow } from '../time.tsx';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const presets = [
  { value: '1', label: 'Last hour', ms: HOUR_MS },
  { value: '24', label: 'Last 24 hours', ms: 24 * HOUR_MS },
  { value: '168', label: 'Last 7 days', ms: 168 * HOUR_MS },
  { value: '720', label: 'Last 30 days', ms: 720 * HOUR_MS },
];

export function TimeFilter() {
  const { values, set } = useFilters();
  const now = useNow();
  const isSet = values.from !== undefined || values.to !== undefined;
  const fits = (ms: number) => Math.abs(now - ms - Date.parse(values.from ?? '')) < 2 * MINUTE_MS;
  const preset = values.to === undefined ? presets.find(({ ms }) => fits(ms)) : undefined;
  // A preset is a start that stays where it is: after two minutes its name would not be true any more.
  const isSince = values.to === undefined && preset === undefined;
  const chosen = !isSet ? '' : isSince ? 'since' : (preset?.value ?? 'custom');
  const choose = (value: string) => {
    const { ms } = presets.find((each) => each.value === value) ?? { ms: HOUR_MS };
    const start = new Date(Date.now() - ms).toISOString();
    if (value === '') set({ from: undefined, to: undefined });
    // "Between" starts with an end, so that it is not taken for one of the presets.
    else if (value === 'custom') set({ from: values.from ?? start, to: new Date().toISOString() });
    else set({ from: start, to: undefined });
  };
  return (
    <>
      <select
        aria-label="Time"
        value={chosen}
        onChange={(event) => choose(event.target.value)}
        className={cn(controlClass, 'select-arrow h-8 w-auto')}
      >
        <option value="">Time: all</option>
        {presets.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {chosen === 'since' && <option value="since">Since {momentName(values.from ?? '')}</option>}
        <option value="custom">Between</option>
      </select>
      {chosen === 'custom' && (
        <>
          <MomentFilter name="from" label="From (UTC)" />
          <MomentFilter name="to" label="To (UTC)" />
        </>
      )}
    </>
  );
}

/** The URL may hold anything. */
const momentName = (text: string) => (Number.isNaN(Date.parse(text)) ? text : exactTime(text));

function MomentFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { values, set } = useFilters();
  const at = Date.parse(values[name] ?? '');
  return (
    <input
      type="datetime-local"
      aria-label={label}
      title={label}
      step={1}
      value={Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 19)}
      onChange={({ target }) => set({ [name]: target.value ? new Date(`${target.value}Z`).toISOString() : undefined })}
      className={cn(controlClass, 'h-8 w-auto')}
    />
  );
}
