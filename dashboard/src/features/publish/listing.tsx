// The listing: what directories show of the project. A setting of the project, edited here.

import { isEmail } from '@toolgate/contract/accounts/rules.ts';
import {
  isPublishedUrl,
  isPublishedVersion,
  MAX_ICON_URL_LENGTH,
  MAX_LISTING_URL_LENGTH,
} from '@toolgate/contract/projects/rules.ts';
import { MAX_DESCRIPTION_LENGTH } from '@toolgate/contract/text-limits.ts';
import type { Listing, Project } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm, useStoredValues } from '../../ui/forms/form.tsx';
import { atMost } from '../../ui/forms/schemas.ts';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { cardClass, Section } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.ts';

type Values = { listing: Record<keyof Listing, string> };

const optional = (isValid: (text: string) => boolean, message: string, most: number) =>
  z.string().check(
    z.trim(),
    atMost(most),
    z.refine((text) => text === '' || isValid(text), message),
  );
const url = (most = MAX_LISTING_URL_LENGTH) => optional(isPublishedUrl, 'Enter a URL that starts with https://', most);

const schema = z.object({
  listing: z.object({
    homepage_url: url(),
    privacy_url: url(),
    terms_url: url(),
    support_email: optional(isEmail, 'Enter an email address', 254),
    description: z.string().check(z.trim(), atMost(MAX_DESCRIPTION_LENGTH)),
    icon_url: url(MAX_ICON_URL_LENGTH),
    version: optional(isPublishedVersion, 'Enter one version, such as 1.2.0', 255),
  }),
});

const valuesOf = ({ settings: { listing } }: Project): Values => ({
  listing: Object.fromEntries(Object.entries(listing).map(([name, value]) => [name, value ?? ''])) as Values['listing'],
});

/** The id of a field, to go to it. */
const fieldId = (field: string) => `listing-${field}`;

export function ListingSection({ project }: { project: Project }) {
  const api = useProjectApi();
  const isAllowed = useAccess().can('write');
  const form = useApiForm<Values>({
    schema,
    defaults: valuesOf(project),
    submit: async ({ listing }) => {
      const entries = Object.entries(listing).map(([name, value]) => [name, value || null]);
      await api.projects.settings.update(project.id, { listing: Object.fromEntries(entries) });
      form.reset({ listing });
      showToast({ title: 'Listing saved' });
      await invalidateProject(project.id, ['project', 'directory-report', 'server-json']);
    },
  });
  useStoredValues(form, valuesOf(project));
  useLeaveWarning(form.formState.isDirty);
  return (
    <Section title="Listing" id="listing" className="scroll-mt-12">
      <Form form={form} label="Listing" className={cn(cardClass, 'gap-5 p-4')}>
        <p className="text-muted text-xs">How the project appears in all directories.</p>
        <fieldset disabled={!isAllowed} className="grid min-w-0 grid-cols-1 gap-5 sm:grid-cols-2">
          <ListingFields />
        </fieldset>
        <FormFailure failure={form.failure} />
        <div>
          <Button type="submit" needs="write" busy={form.formState.isSubmitting}>
            Save
          </Button>
        </div>
      </Form>
    </Section>
  );
}

function ListingFields() {
  const field = (name: keyof Listing, label: string) => ({ name: `listing.${name}`, label, autoComplete: 'off' });
  return (
    <>
      <Place field="description" className="sm:col-span-2">
        <TextareaField
          {...field('description', 'Description')}
          rows={3}
          hint="What people can do with your tools. The MCP registry shows the first 100 characters."
        />
      </Place>
      <Place field="homepage_url">
        <TextField {...field('homepage_url', 'Home page')} inputMode="url" placeholder="https://example.com" />
      </Place>
      <Place field="support_email">
        <TextField {...field('support_email', 'Support email')} inputMode="email" placeholder="support@example.com" />
      </Place>
      <Place field="privacy_url">
        <TextField
          {...field('privacy_url', 'Privacy policy')}
          inputMode="url"
          placeholder="https://example.com/privacy"
        />
      </Place>
      <Place field="terms_url">
        <TextField
          {...field('terms_url', 'Terms of service')}
          inputMode="url"
          placeholder="https://example.com/terms"
        />
      </Place>
      <Place field="icon_url">
        <TextField {...field('icon_url', 'Icon')} inputMode="url" placeholder="https://example.com/icon.png" />
      </Place>
      <Place field="version">
        <TextField
          {...field('version', 'Version')}
          placeholder="1.0.0"
          hint="The version of the entry in the MCP registry"
        />
      </Place>
    </>
  );
}

function Place({
  field,
  className,
  children,
}: {
  field: keyof Listing;
  className?: string;
  children: React.ReactNode;
}) {
  return (
    <div id={fieldId(field)} className={cn('min-w-0 scroll-mt-16', className)}>
      {children}
    </div>
  );
}

/** Shows the field and puts the cursor into it. */
export function goToField(field: string): void {
  const place = document.getElementById(fieldId(field));
  place?.scrollIntoView({ block: 'center' });
  place?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true });
}
