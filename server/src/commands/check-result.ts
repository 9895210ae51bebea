// What doctor found out about one thing.

export type Check = {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** A command, or what to do where no command does it. Null when it is ok. */
  fix: string | null;
};

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, fix: null });
export const warn = (name: string, message: string, fix: string): Check => ({ name, status: 'warn', message, fix });
export const fail = (name: string, message: string, fix: string): Check => ({ name, status: 'fail', message, fix });
