// Policies of the customer's own, in the settings: they have a page of their own.

import { Link } from '@tanstack/react-router';
import { useProjectId } from '../../api/client.ts';
import { linkClass } from '../../ui/button.tsx';
import { Part } from './part.tsx';

export function Hooks() {
  return (
    <Part
      id="hooks"
      title="Hooks"
      text="Your own policies, in OPA, OpenFGA, Cedar or your own code, that toolgate asks about tool calls."
      facts={
        <Link to="/projects/$projectId/hooks" params={{ projectId: useProjectId() }} className={linkClass}>
          Hooks of this project
        </Link>
      }
    />
  );
}
