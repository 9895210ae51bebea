// What was typed into "Create tool". It is kept in this browser until the tool is created, the draft is discarded, or the person
// signs out. Never the secret.

import { type ToolValues, valuesOf } from './values.ts';

const PREFIX = 'toolgate-tool-draft:';

export type ToolDraft = {
  read(): ToolValues | null;
  /** Values that nobody has changed are no draft. */
  save(values: ToolValues): void;
  remove(): void;
};

/** For one person in one project: others who use the browser do not get it. */
export function toolDraft(accountId: string, projectId: string): ToolDraft {
  const key = `${PREFIX}${accountId}:${projectId}`;
  const remove = () => withStorage((storage) => storage.removeItem(key));
  return {
    read() {
      const text = withStorage((storage) => storage.getItem(key));
      return text ? { ...valuesOf(null), ...fitting(JSON.parse(text)) } : null;
    },
    save(values) {
      if (isUnchanged(values)) remove();
      else withStorage((storage) => storage.setItem(key, JSON.stringify(withoutSecret(values))));
    },
    remove,
  };
}

export function removeToolDrafts(): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });
}

export const isUnchanged = (values: ToolValues) =>
  JSON.stringify(withoutSecret(values)) === JSON.stringify(withoutSecret(valuesOf(null)));

const withoutSecret = (values: ToolValues): ToolValues => ({ ...valuesOf(null), ...values, encrypted_auth_secret: '' });

/** Without values that an earlier version of the form kept in another shape. */
function fitting(draft: ToolValues): Partial<ToolValues> {
  const empty: Record<string, unknown> = valuesOf(null);
  const isFitting = ([name, value]: [string, unknown]) =>
    typeof value === typeof empty[name] && Array.isArray(value) === Array.isArray(empty[name]);
  return Object.fromEntries(Object.entries(draft).filter(isFitting));
}

/** Null if the browser blocks storage, or it is full: then there is no draft. */
function withStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(window.localStorage);
  } catch {
    return null;
  }
}
