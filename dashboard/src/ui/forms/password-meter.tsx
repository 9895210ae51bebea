// How hard a password is to guess, roughly: length counts most. The server refuses common ones.

import { MIN_PASSWORD_LENGTH } from '@toolgate/contract/accounts/rules.ts';
import { cn } from '../class-names.ts';

const WORDS = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'];
const tones = ['bg-danger', 'bg-danger', 'bg-warning', 'bg-success', 'bg-success'];

function passwordStrength(password: string): number {
  if (password.length < MIN_PASSWORD_LENGTH) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  const distinct = new Set(password).size;
  const bits = password.length * Math.log2(distinct * kinds);
  return bits < 36 ? 1 : bits < 52 ? 2 : bits < 72 ? 3 : 4;
}

export function PasswordMeter({ password }: { password: string }) {
  const strength = passwordStrength(password);
  return (
    <div className="grid gap-1" role="status" aria-label="Password strength">
      <div aria-hidden className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={cn('h-1 rounded-full', password && step <= strength ? tones[strength] : 'bg-line')}
          />
        ))}
      </div>
      <span className="text-muted text-xs">
        {password ? WORDS[strength] : `At least ${MIN_PASSWORD_LENGTH} characters; longer is better`}
      </span>
    </div>
  );
}
