// What was submitted to a directory, and the button that records the next submission.

import { type Directory, directoryNames } from '@toolgate/contract/directories/rules.ts';
import type { DirectorySubmission } from '@toolgate/sdk';
import { ClipboardCheck } from 'lucide-react';
import { useState } from 'react';
import { useProjectQuery } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { useFilters } from '../../ui/search.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

export function RecordSubmission({ directory, failures }: { directory: Directory; failures: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="solid" needs="write" onClick={() => setOpen(true)}>
        <ClipboardCheck /> Record a submission
      </Button>
      <ChangeDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Record a submission to the ${directoryNames[directory]}?`}
        action="Record"
        change={(toolgate) => toolgate.directories.submissions.create({ for: directory })}
        done="Submission recorded"
        invalidates={['directory-report', 'directory-submissions']}
      >
        <p>
          Nothing is sent to the directory: you submit there yourself. toolgate keeps the current definitions of all
          enabled tools, and this page lists what changes afterwards.
        </p>
        {failures > 0 && <p className="mt-2">Some rules are still broken. The directory may refuse the project.</p>}
      </ChangeDialog>
    </>
  );
}

export function Submissions({ directory }: { directory: Directory }) {
  const { cursor } = useFilters().values;
  const query = useProjectQuery(['directory-submissions', directory, cursor], (api) =>
    api.directories.submissions.list({ for: directory, limit: 10, cursor }),
  );
  return (
    <Section title="Submissions">
      <DataTable
        label="Submissions"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        expected={1}
        empty={
          <EmptyState compact title="No submission was recorded">
            Record one when you submit. This page then lists every tool that has changed since.
          </EmptyState>
        }
      />
    </Section>
  );
}

const columns: Column<DirectorySubmission>[] = [
  { header: 'Recorded', width: 'w-36', isNewestFirst: true, cell: ({ created_at }) => <Time value={created_at} /> },
  { header: 'Tools', width: 'w-20', align: 'right', cell: ({ tool_count }) => tool_count.toLocaleString('en') },
  { header: 'Version', width: 'w-28', from: 'sm', cell: ({ version }) => version ?? '–' },
  {
    header: 'By',
    cell: ({ created_by }) => <CopyableCode text={created_by} label="Copy id" />,
  },
];
