// A deadline in CPU time of a thread, with one of wall-clock time behind it. Only a thread that runs can say what it has used: one that
// says nothing waits for a processor, and has not used it.

export type Deadline = { clear(): void };

type Limits = { cpu_ms: number; wall_ms: number };

/** `usedCpu` returns what the thread has used since the start, in milliseconds. `end` is called once at most, and not after `clear`. */
export function startDeadline(
  usedCpu: () => Promise<number>,
  { cpu_ms, wall_ms }: Limits,
  end: (limit: 'cpu' | 'wall') => void,
): Deadline {
  let is_over = false;
  const finish = (limit: 'cpu' | 'wall') => {
    clear();
    end(limit);
  };
  const check = async () => {
    const rest_ms = cpu_ms - (await usedCpu());
    if (is_over) return;
    if (rest_ms <= 0) finish('cpu');
    else timer = setTimeout(startCheck, Math.max(rest_ms, 10));
  };
  // It fails when the thread has ended, which is noticed elsewhere.
  const startCheck = () => void check().catch(() => {});
  let timer = setTimeout(startCheck, cpu_ms);
  const last = setTimeout(finish, wall_ms, 'wall');
  function clear(): void {
    is_over = true;
    clearTimeout(timer);
    clearTimeout(last);
  }
  return { clear };
}
