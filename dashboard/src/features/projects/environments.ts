// The environments of a project, as a person chooses one.

import { environments } from '@toolgate/contract/projects/rules.ts';
import { optionsOf } from '../../ui/forms/options.ts';

export const environmentOptions = optionsOf(environments, { development: 'Development', production: 'Production' });
