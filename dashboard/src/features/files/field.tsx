// A field that takes a file, chosen or dropped. It is uploaded at once; the value is its ID.

import { useMutation } from '@tanstack/react-query';
import { sizeText } from '@toolgate/contract/files/media.ts';
import { MAX_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import { type ReactNode, useRef, useState } from 'react';
import { queryClient, slowProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Field } from '../../ui/forms/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { showHidden } from '../../ui/words.ts';
import { StoredFile } from './file.tsx';

const TOO_LARGE = `A file can have at most ${sizeText(MAX_FILE_BYTES)}`;
const isFileId = (value: string) => /^fil_\w+$/.test(value);
const keyOf = (id: string) => ['files', id];

type FileFieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** The ID of a file, another text that stands for one, such as a data: URI, or empty. */
  value: string;
  onChange: (value: string) => void;
};

export function FileField({ label, hint, error, value, onChange }: FileFieldProps) {
  const upload = useUpload(onChange);
  return (
    <Field label={label} hint={hint} error={upload.problem ?? error} className="sm:col-span-2">
      {(attributes) => (
        <>
          {upload.name !== null ? (
            <div role="status" className="flex min-w-0 items-center justify-between gap-3 rounded-md bg-sunken p-3">
              <span className="min-w-0 break-words">Uploading {showHidden(upload.name)}…</span>
              <Button size="sm" onClick={upload.cancel}>
                Cancel
              </Button>
            </div>
          ) : value === '' ? (
            <DropZone attributes={attributes} onFiles={upload.take} />
          ) : (
            <Chosen value={value} onRemove={() => onChange('')} />
          )}
          {upload.failure !== null && <ErrorAlert error={upload.failure} />}
        </>
      )}
    </Field>
  );
}

function useUpload(onChange: (id: string) => void) {
  const projectId = useProjectId();
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const abort = useRef<AbortController | null>(null);
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (file: File) => {
      abort.current = new AbortController();
      return slowProjectApi(projectId).files.upload(file, { signal: abort.current.signal });
    },
    onSuccess: (stored) => {
      queryClient.setQueryData(['projects', projectId, ...keyOf(stored.id)], stored);
      onChange(stored.id);
    },
  });
  return {
    /** Null if nothing is being uploaded. */
    name: isPending ? variables.name : null,
    problem,
    failure: abort.current?.signal.aborted ? null : error,
    cancel: () => abort.current?.abort(),
    take(files: FileList) {
      const [file] = files;
      if (!file) return;
      const found = files.length > 1 ? 'Choose one file' : file.size > MAX_FILE_BYTES ? TOO_LARGE : undefined;
      setProblem(found);
      if (found === undefined) mutate(file);
    },
  };
}

type ZoneProps = { attributes: { id: string }; onFiles: (files: FileList) => void };

function DropZone({ attributes, onFiles }: ZoneProps) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whoever cannot drop chooses with the button in it
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer.files);
      }}
      className={cn(
        'grid min-w-0 gap-1.5 rounded-md border border-dashed p-3 transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <input
        {...attributes}
        type="file"
        onChange={(event) => {
          if (event.target.files) onFiles(event.target.files);
          // The same file can be chosen again.
          event.target.value = '';
        }}
        className="w-full min-w-0 rounded-md text-muted text-xs file:mr-3 file:h-7 file:rounded-md file:border file:border-line-strong file:bg-surface file:px-2.5 file:font-medium file:text-ink"
      />
      <p className="text-muted text-xs">Or drop a file here, up to {sizeText(MAX_FILE_BYTES)}.</p>
    </div>
  );
}

function Chosen({ value, onRemove }: { value: string; onRemove: () => void }) {
  const { data, error } = useProjectQuery(keyOf(value), (api) => api.files.get(value), { enabled: isFileId(value) });
  const remove = (
    <Button size="sm" onClick={onRemove}>
      Remove
    </Button>
  );
  if (data?.id === value) return <StoredFile file={data}>{remove}</StoredFile>;
  return (
    <div className="flex min-w-0 flex-wrap items-center justify-between gap-3 rounded-md border border-line bg-canvas p-3">
      {isFileId(value) && !error ? (
        <Skeleton className="w-40" />
      ) : (
        <span className="min-w-0 flex-1 basis-40 break-words text-muted text-xs">
          {error ? 'This file does not exist, or has been deleted.' : 'Set as text in the arguments below.'}
        </span>
      )}
      {remove}
    </div>
  );
}
