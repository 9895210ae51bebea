// What a directory of MCP servers shows of a project: the setting `listing`.

import { z } from 'zod';
import { isEmail } from '../accounts/rules.ts';
import { limitedText, text } from '../fields.ts';
import { MAX_DESCRIPTION_LENGTH } from '../text-limits.ts';
import {
  isPublishedUrl,
  isPublishedVersion,
  type ListingField,
  MAX_ICON_URL_LENGTH,
  MAX_LISTING_URL_LENGTH,
  MAX_VERSION_LENGTH,
  PUBLISHED_URL_RULE,
  PUBLISHED_VERSION_RULE,
} from './rules.ts';

const url = (description: string, example: string, most = MAX_LISTING_URL_LENGTH) =>
  limitedText(most).refine(isPublishedUrl, PUBLISHED_URL_RULE).nullable().meta({ description, example });

const fields = {
  homepage_url: url('Where people read about the server: HTTPS', 'https://example.com/assistant'),
  privacy_url: url('The privacy policy: HTTPS', 'https://example.com/privacy'),
  terms_url: url('The terms of service: HTTPS', 'https://example.com/terms'),
  support_email: limitedText(254)
    .refine((value) => value === value.trim() && isEmail(value), 'must be an email address')
    .nullable()
    .meta({ description: 'Where people ask for help', example: 'support@example.com' }),
  description: text(1, MAX_DESCRIPTION_LENGTH)
    .refine((value) => value.trim() !== '', 'must not be blank')
    .nullable()
    .meta({
      description: 'What people can do with the server; 1 to 1,024 characters. The MCP registry shows the first 100',
      example: 'Find orders of the shop, and say where a parcel is.',
    }),
  icon_url: url('The icon: HTTPS, at most 255 characters', 'https://example.com/icon.png', MAX_ICON_URL_LENGTH),
  version: limitedText(MAX_VERSION_LENGTH)
    .refine(isPublishedVersion, PUBLISHED_VERSION_RULE)
    .nullable()
    .meta({ description: 'The version that is published: numbers, no range', example: '1.2.0' }),
} satisfies Record<ListingField, z.ZodType>;

export const listing = z.strictObject(fields).meta({
  id: 'Listing',
  description: 'What directories of MCP servers show of the project; null: not set',
});

export type Listing = z.infer<typeof listing>;

export const listingChange = z.strictObject(fields).partial().meta({
  id: 'ListingChange',
  description: 'What directories of MCP servers show of the project. Fields that are left out stay as they are',
});

export const defaultListing: Listing = {
  homepage_url: null,
  privacy_url: null,
  terms_url: null,
  support_email: null,
  description: null,
  icon_url: null,
  version: null,
};
