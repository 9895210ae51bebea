// Does this secret fit? It is compared in the browser, with the function that receivers use, and is not sent anywhere.

import { type DeliveryWithAttempts, SignatureError, verifyWebhook } from '@toolgate/sdk';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { controlClass, Field } from '../../../ui/forms/field.tsx';
import { Section } from '../../../ui/section.tsx';

/** The request may be days old; its age is not what is asked here. */
const ANY_AGE_SECONDS = 10 * 365 * 86_400;

export function SignatureCheck({ delivery: { request_body, attempts } }: { delivery: DeliveryWithAttempts }) {
  const [secret, setSecret] = useState('');
  const [result, setResult] = useState<{ isGood: boolean; text: string } | null>(null);
  const [attempt] = attempts;
  if (!attempt?.request_headers['webhook-signature']) return null;
  const check = (event: FormEvent) => {
    event.preventDefault();
    const received = { secret, headers: attempt.request_headers, body: request_body ?? '' };
    verifyWebhook({ ...received, toleranceSeconds: ANY_AGE_SECONDS }).then(
      () => setResult({ isGood: true, text: 'The secret matches: a receiver with this secret accepts the request.' }),
      (error: unknown) => setResult({ isGood: false, text: describe(error) }),
    );
  };
  return (
    <Section title="Check the signature">
      <form onSubmit={check} className="grid gap-2">
        <Field label="Signing secret" hint="It is checked in this browser and not sent anywhere.">
          {(attributes) => (
            <div className="flex gap-2">
              <input
                {...attributes}
                type="password"
                autoComplete="off"
                placeholder="whsec_…"
                value={secret}
                onChange={(event) => setSecret(event.target.value)}
                className={cn(controlClass, 'h-8 font-mono text-xs')}
              />
              <Button type="submit" disabled={secret === ''}>
                Check
              </Button>
            </div>
          )}
        </Field>
        <p role="status" className={cn('min-h-5', result?.isGood ? 'text-success' : 'text-danger')}>
          {result?.text}
        </p>
      </form>
    </Section>
  );
}

function describe(error: unknown): string {
  if (error instanceof SignatureError && error.reason === 'mismatch') return 'This secret did not sign the request.';
  return error instanceof Error ? error.message : 'The signature could not be checked.';
}
