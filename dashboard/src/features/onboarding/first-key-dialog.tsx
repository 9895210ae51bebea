// What the set-up ends with: the first API key, shown once, and a command that connects a model with it.

import { type ReactNode, useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { SecretField } from '../../ui/dialogs/secret.tsx';
import { cardClass, Section } from '../../ui/section.tsx';

type Props = {
  secret: string;
  onSaved: () => void;
  /** How to connect a model, with the key filled in. */
  children: ReactNode;
};

export function FirstKey({ secret, onSaved, children }: Props) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <Section title="Your first API key" id="connect" className="scroll-mt-16">
      <div className={`${cardClass} grid grid-cols-1 gap-5 p-4`}>
        <p className="text-muted">
          Copy it now. Only its hash is stored, so it cannot be shown again. It can list and call tools, and read this
          project. To connect a model, paste the command.
        </p>
        <SecretField secret={secret} />
        {children}
        <footer className="flex justify-end">
          <Button look="solid" onClick={onSaved}>
            I have saved it
          </Button>
        </footer>
      </div>
    </Section>
  );
}
