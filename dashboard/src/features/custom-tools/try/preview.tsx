// The request that the arguments make, before it is sent: URL, headers, body, what is signed, and code that does the same.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CustomTool, ToolRequestPreview } from '@toolgate/sdk';
import { Stethoscope } from 'lucide-react';
import { projectApi, useProjectId } from '../../../api/client.ts';
import { useAccess, usePublicUrl } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { CodeBlock, Snippets } from '../../../ui/code-block.tsx';
import { CopyIcon } from '../../../ui/copy.tsx';
import { controlClass, Field } from '../../../ui/forms/field.tsx';
import { useLater } from '../../../ui/later.ts';
import { useUrlDialog } from '../../../ui/search.ts';
import { cardClass } from '../../../ui/section.tsx';
import { ErrorAlert } from '../../../ui/states.tsx';
import { SmallTabs } from '../../../ui/tabs.tsx';
import { RequestPart, RequestProblems, RequestSkeleton, RequestView } from '../request/view.tsx';
import { callSnippets, issuerOf, verifyJwtSnippets, verifySnippets } from '../snippets.ts';
import { isSigned, SIGNATURE_DIALOG } from '../values.ts';
import type { TryIt } from './state.ts';

type Props = { tool: CustomTool; tryIt: TryIt };

export function RequestPreview({ tool, tryIt }: Props) {
  const reason = useAccess().reason('write');
  const preview = usePreview(tool, tryIt, reason === undefined);
  const call = { origin: usePublicUrl(), tool, args: tryIt.args ?? {} };
  return (
    <section aria-label="Request" className={cn(cardClass, 'min-w-0 p-4')}>
      <SmallTabs
        label="The request"
        tabs={[
          { id: 'request', label: 'Request', content: <RequestTab preview={preview} reason={reason} /> },
          ...callSnippets(call).map(codeTab),
          ...(isSigned(tool) ? [{ id: 'verify', label: 'Verify', content: <VerifyTab /> }] : []),
          ...(tool.auth_strategy === 'member_jwt'
            ? [{ id: 'verify', label: 'Verify', content: <VerifyJwtTab tool={tool} /> }]
            : []),
        ]}
      />
    </section>
  );
}

const codeTab = ({ name, code }: { name: string; code: string }) => ({
  id: name,
  label: name,
  content: <CodeBlock code={code} label={name} />,
});

/** How the customer's API verifies the request, and what helps when it does not. */
function VerifyTab() {
  const [, setOpen] = useUrlDialog(SIGNATURE_DIALOG);
  return (
    <div className="grid grid-cols-1 gap-3">
      <Snippets label="Verify the signature" snippets={verifySnippets} />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted text-xs">
        Your API refuses a request? Find the line that differs:
        <Button size="sm" needs="write" onClick={() => setOpen(true)}>
          <Stethoscope /> Signature doctor
        </Button>
      </p>
    </div>
  );
}

/** How the customer's API verifies for whom it is called. */
function VerifyJwtTab({ tool: { auth_config } }: { tool: CustomTool }) {
  const issuer = issuerOf(usePublicUrl(), useProjectId());
  return (
    <Snippets label="Verify the JWT" snippets={verifyJwtSnippets({ issuer, audience: auth_config.audience ?? '' })} />
  );
}

/** Asked when the arguments have not changed for a moment. */
function usePreview(tool: CustomTool, { args, member_external_id }: TryIt, isAllowed: boolean) {
  const projectId = useProjectId();
  const input = JSON.stringify({ args, member_external_id });
  const settled = useLater(input);
  return useQuery({
    queryKey: ['projects', projectId, 'custom-tools', 'preview', tool.id, tool.version, tool.is_enabled, settled],
    queryFn: () => {
      const { args, member_external_id } = JSON.parse(settled) as Pick<TryIt, 'args' | 'member_external_id'>;
      return projectApi(projectId).customTools.preview(tool.id, { arguments: args ?? {}, member_external_id });
    },
    enabled: isAllowed && args !== null,
    placeholderData: keepPreviousData,
  });
}

function RequestTab({
  preview: { data, error },
  reason,
}: {
  preview: ReturnType<typeof usePreview>;
  reason: string | undefined;
}) {
  if (reason) return <p className="text-muted">{reason}</p>;
  if (error) return <ErrorAlert error={error} />;
  if (!data) return <RequestSkeleton />;
  return (
    <div className="grid grid-cols-1 gap-4">
      <RequestProblems problems={data.problems} />
      <RequestView preview={data}>{data.canonical_string !== null && <Signed preview={data} />}</RequestView>
    </div>
  );
}

function Signed({ preview: { canonical_string, signature } }: { preview: ToolRequestPreview }) {
  return (
    <>
      <Field
        label="Canonical string"
        hint="The signed lines. The call itself will have a different id and time."
        aside={<CopyIcon text={canonical_string ?? ''} label="Copy it" />}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            readOnly
            rows={11}
            wrap="off"
            value={canonical_string ?? ''}
            className={cn(controlClass, 'resize-none bg-sunken py-2 font-mono text-xs leading-5')}
          />
        )}
      </Field>
      <RequestPart name="Signature">
        <code className="block break-all text-xs">{signature}</code>
      </RequestPart>
    </>
  );
}
