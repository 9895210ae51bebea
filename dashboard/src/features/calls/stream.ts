// The calls of a project as they are made.

import type { ToolCall } from '@toolgate/sdk';
import { useEffect, useState } from 'react';
import { useProjectApi } from '../../api/client.ts';

const MAX_ROWS = 500;

type Filters = NonNullable<Parameters<ReturnType<typeof useProjectApi>['toolCalls']['stream']>[0]>;
type Received = { key: string; calls: ToolCall[]; error: unknown };

/** The calls that were made since the page was loaded, newest first. Begins after the call `after`, so that none is missing. */
export function useCallStream(filters: Filters, { isOn, after }: { isOn: boolean; after: string | undefined }) {
  const api = useProjectApi();
  const key = JSON.stringify(filters);
  const [received, setReceived] = useState<Received>({ key, calls: [], error: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for `filters`; `after` is where the stream began
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    const add = (call: ToolCall) =>
      setReceived((before) => ({
        key,
        error: null,
        calls: [call, ...(before.key === key ? before.calls : [])].slice(0, MAX_ROWS),
      }));
    const read = async () => {
      const options = { signal: stop.signal, lastEventId: after };
      for await (const call of api.toolCalls.stream(filters, options)) add(call);
    };
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) setReceived((before) => ({ ...before, key, error }));
    });
    return () => stop.abort();
  }, [api, key, isOn]);
  return received.key === key ? received : { key, calls: [], error: null };
}
