// The frame of the pages before the sign-in: the mark, the heading, and one form.

import type { ReactNode } from 'react';
import { Logo } from '../../ui/logo.tsx';
import { useTitle } from '../../ui/page-header.tsx';
import { cardClass } from '../../ui/section.tsx';
import { ThemeMenu } from '../../ui/theme-menu.tsx';

export function SignInFrame({
  title,
  description,
  children,
  below,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Under the form, in small letters. */
  below?: ReactNode;
}) {
  useTitle(title);
  return (
    <div className="flex min-h-dvh flex-col">
      <div className="flex justify-end p-3">
        <ThemeMenu />
      </div>
      <main className="mx-auto w-full max-w-sm px-4 pt-[8vh] pb-16">
        <Logo className="mb-5 size-9" />
        <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
        {description && <div className="mt-1 text-muted">{description}</div>}
        <div className={`${cardClass} mt-6 p-5`}>{children}</div>
        {below && <div className="mt-4 px-1">{below}</div>}
      </main>
    </div>
  );
}
