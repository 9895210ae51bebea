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
  homepage_url: url('An HTTPS URL where people read about the server', 'https://example.com/assistant'),
  privacy_url: url("The privacy policy's HTTPS URL", 'https://example.com/privacy'),
  terms_url: url('The HTTPS URL of the terms of service', 'https://example.com/terms'),
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
  icon_url: url("The icon's HTTPS URL, at most 255 characters", 'https://example.com/icon.png', MAX_ICON_URL_LENGTH),
  version: limitedText(MAX_VERSION_LENGTH)
    .refine(isPublishedVersion, PUBLISHED_VERSION_RULE)
    .nullable()
    .meta({ description: 'The published version: numbers, not a range', example: '1.2.0' }),
} satisfies Record<ListingField, z.ZodType>;

export const listing = z.strictObject(fields).meta({
  id: 'Listing',
  description: 'How directories of MCP servers present the project; null if not set',
});

export type Listing = z.infer<typeof listing>;

export const listingChange = z.strictObject(fields).partial().meta({
  id: 'ListingChange',
  description: 'How directories of MCP servers present the project. Fields you leave out stay unchanged',
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
