// Copies a text. Every id, URL, prefix and snippet has one.

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { cn } from './class-names.ts';
import { showToast } from './toasts.ts';

const COPIED_MS = 1_600;

function useCopy(text: string): { copied: boolean; copy(): void } {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    writeClipboard(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), COPIED_MS);
      },
      () =>
        showToast({
          title: 'Copying failed',
          description: "The browser doesn't allow copying here. Select the text instead.",
        }),
    );
  };
  return { copied, copy };
}

/** navigator.clipboard exists in secure contexts only, and a server in a private network may have no certificate. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('not copied');
}

/** A small icon beside the text. `label` says what is copied: "Copy key id". */
export function CopyIcon({ text, label, className }: { text: string; label: string; className?: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      className={cn('size-6 [&_svg]:size-3.5', className)}
      icon={copied ? <Check className="text-success" /> : <Copy />}
      onClick={copy}
    />
  );
}

export function CopyButton({ text, label = 'Copy', size }: { text: string; label?: string; size?: 'sm' }) {
  const { copied, copy } = useCopy(text);
  return (
    <Button onClick={copy} size={size} className="min-w-20">
      {copied ? <Check className="text-success" /> : <Copy />}
      {copied ? 'Copied' : label}
    </Button>
  );
}

/** An id or another short code, shortened when there is no room, with its copy icon. */
export function CopyableCode({ text, label }: { text: string; label: string }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-0.5">
      <code className="truncate text-muted text-xs">{text}</code>
      <CopyIcon text={text} label={label} />
    </span>
  );
}
