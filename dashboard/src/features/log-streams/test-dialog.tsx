// Sends one entry to the receiver of a log stream, marked as a test, and shows each step.

import { useMutation } from '@tanstack/react-query';
import type { LogStream, LogStreamTest } from '@toolgate/sdk';
import { slowProjectApi, useProjectId } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { TestSteps } from '../../ui/test-steps.tsx';
import { receiverOf, stepWords } from './log-streams.ts';

type Props = { stream: LogStream; open: boolean; onOpenChange: (open: boolean) => void };

export function TestLogStreamDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Test log stream"
      description="Sends one entry to the receiver, marked as a test. The position of the stream doesn't change."
    >
      <Test {...props} />
    </Dialog>
  );
}

function Test({ stream, onOpenChange }: Props) {
  const projectId = useProjectId();
  const test = useMutation({ mutationFn: () => slowProjectApi(projectId).logStreams.test(stream.id) });
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="break-all font-mono text-muted text-xs">{receiverOf(stream)}</p>
      {test.error && <ErrorAlert error={test.error} />}
      <div aria-live="polite">{test.data && !test.isPending && <Result test={test.data} />}</div>
      <footer className="flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>Close</Button>
        <Button look="solid" busy={test.isPending} onClick={() => test.mutate()}>
          Test
        </Button>
      </footer>
    </div>
  );
}

function Result({ test: { is_successful, status, duration_ms, steps } }: { test: LogStreamTest }) {
  const returned = status === null ? '' : ` It returned ${status}.`;
  return (
    <div className="grid grid-cols-1 gap-3">
      <p
        className={cn(
          'rounded-md px-3 py-2',
          is_successful ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger',
        )}
      >
        <span className="font-medium">
          {is_successful ? 'The receiver accepted the entry.' : 'The receiver did not accept the entry.'}
        </span>
        {returned} {duration_ms.toLocaleString('en')} ms.
      </p>
      <TestSteps steps={steps.map(({ step, ...rest }) => ({ ...rest, step, name: stepWords[step] }))} />
    </div>
  );
}
