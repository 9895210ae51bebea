// Where the logs are sent, in the settings: log streams have a page of their own.

import { Link } from '@tanstack/react-router';
import { useProjectId } from '../../api/client.ts';
import { linkClass } from '../../ui/button.tsx';
import { Part } from './part.tsx';

export function LogStreams() {
  return (
    <Part
      id="log-streams"
      title="Log streams"
      text="The call log and the audit log, sent to your SIEM, to an OpenTelemetry collector or to a bucket."
      facts={
        <Link to="/projects/$projectId/log-streams" params={{ projectId: useProjectId() }} className={linkClass}>
          Log streams of this project
        </Link>
      }
    />
  );
}
