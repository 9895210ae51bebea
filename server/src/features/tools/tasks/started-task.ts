// A call that goes on as a task: a result of a call, like a response and a refusal.

import type { TaskRow } from './task.ts';

export class StartedTask {
  /** Of this call, which may have joined the task of the same call. */
  readonly call_id: string;
  readonly task: TaskRow;

  /** The API said 202, or the same call was working already: it will take a while. */
  readonly is_accepted: boolean;

  constructor(call_id: string, task: TaskRow, is_accepted = true) {
    this.call_id = call_id;
    this.task = task;
    this.is_accepted = is_accepted;
  }
}
