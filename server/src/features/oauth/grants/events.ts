// Changes of grants have an audit entry and no event of their own: `member_session.revoked` reports the sessions that ended.

import { recorderOf } from '../../activity/events/record.ts';

const none = Object.freeze({});

export const { recordChange } = recorderOf<typeof none, 'oauth_grant.created' | 'oauth_grant.revoked'>(none);
