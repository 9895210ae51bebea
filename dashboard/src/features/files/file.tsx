// A stored file: an icon, or the picture itself, with name, type, size, when it is deleted, and a download.

import { useQuery } from '@tanstack/react-query';
import { mediaKind, mediaType, sizeText } from '@toolgate/contract/files/media.ts';
import type { ToolExecutionResult } from '@toolgate/sdk';
import {
  Download,
  FileArchive,
  FileAudio,
  File as FileIcon,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { slowProjectApi, useProjectId } from '../../api/client.ts';
import { linkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Name } from '../../ui/name.tsx';
import { Time } from '../../ui/time.tsx';

type File = NonNullable<ToolExecutionResult['file']>;

/** Larger pictures are not loaded to be looked at. */
const MAX_PICTURE_BYTES = 5_000_000;

const icons: [types: RegExp, icon: LucideIcon][] = [
  [/^image\//, FileImage],
  [/^audio\//, FileAudio],
  [/^video\//, FileVideo],
  [/csv|excel|spreadsheet/, FileSpreadsheet],
  [/zip|tar|compressed|rar/, FileArchive],
  [/^text\/|pdf|word|json|xml|rtf/, FileText],
];

/** `children`: what can be done with it, beside the download. */
export function StoredFile({ file, children }: { file: File; children?: ReactNode }) {
  const type = mediaType(file.content_type);
  const isPicture = mediaKind(type) === 'image' && file.size <= MAX_PICTURE_BYTES;
  const Icon = icons.find(([types]) => types.test(type))?.[1] ?? FileIcon;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3 rounded-md border border-line bg-canvas p-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
        <Icon aria-hidden className="size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1 basis-40">
          <p className="break-words font-medium">
            <Name text={file.name} />
          </p>
          <p className="break-words text-muted text-xs">
            {type} · {sizeText(file.size)} · deleted <Time value={file.expires_at} />
          </p>
        </div>
        <span className="flex shrink-0 items-center gap-3">
          <DownloadLink file={file} />
          {children}
        </span>
      </div>
      {isPicture && <Picture file={file} type={type} />}
    </div>
  );
}

/** The browser streams it; the link of the file itself works for 15 minutes only. */
function DownloadLink({ file: { id, name } }: { file: File }) {
  const path = `/api/v1/projects/${useProjectId()}/files/${id}/content`;
  return (
    <a href={path} download={name} className={cn(linkClass, 'inline-flex items-center gap-1 [&_svg]:size-4')}>
      <Download aria-hidden /> Download
    </a>
  );
}

/** Its bytes as a picture of the type that it says, so that nothing in it can run. */
function Picture({ file: { id, name }, type }: { file: File; type: string }) {
  const projectId = useProjectId();
  const { data } = useQuery({
    queryKey: ['projects', projectId, 'file-picture', id],
    queryFn: async () => {
      const response = await slowProjectApi(projectId).files.content(id);
      return asDataUrl(new Blob([await response.arrayBuffer()], { type }));
    },
    staleTime: Number.POSITIVE_INFINITY,
    // It is large, and shown once.
    gcTime: 0,
  });
  if (!data) return null;
  return <img src={data} alt={name} className="max-h-80 max-w-full justify-self-start rounded object-contain" />;
}

/** The policy of the page allows pictures of data: URLs, not of blob: URLs. */
function asDataUrl(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(blob);
  });
}
