// ping (before 2026-07-28).

import type { Method } from './method.ts';

export const ping: Method = () => '{}';
