// The endpoints of the sample shop as tools; shop.ts answers their calls.

import { customToolRequest } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { shopTools } from '@toolgate/contract/custom-tools/sample-shop.ts';
import { SAMPLE_ORIGIN, SAMPLE_SECRET } from './shop.ts';

export const sampleTools = shopTools.map((definition) =>
  customToolRequest.parse({
    ...definition,
    base_url: SAMPLE_ORIGIN,
    auth_strategy: 'hmac_signature',
    encrypted_auth_secret: SAMPLE_SECRET,
  }),
);
