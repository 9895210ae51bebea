// What most projects connect. A tile opens the dialog with its fields filled in.

import { Bot, Headset, MonitorSmartphone, Smartphone, Workflow } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';

/** `id` is in the URL while the dialog is open. */
const examples = [
  { id: 'web', name: 'Web app', description: 'The assistant in our web app', icon: <MonitorSmartphone /> },
  {
    id: 'mobile',
    name: 'Mobile app',
    description: 'The assistant in our app for iOS and Android',
    icon: <Smartphone />,
  },
  { id: 'bot', name: 'Chat bot', description: 'Our bot in Slack or Teams', icon: <Bot /> },
  { id: 'support', name: 'Support desk', description: 'Agents who answer tickets', icon: <Headset /> },
  { id: 'automation', name: 'Automation', description: 'Workflows that run without a person', icon: <Workflow /> },
];

export type Example = (typeof examples)[number];

export const findExample = (id: string | undefined) => examples.find((example) => example.id === id);

export function IntegrationGallery({ onChoose }: { onChoose: (id: string) => void }) {
  return (
    <Section title="Start from an example">
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
        {examples.map(({ id, name, description, icon }) => (
          <li key={id}>
            <Button
              needs="webhook"
              onClick={() => onChoose(id)}
              className="h-full w-full flex-col items-start justify-start gap-1 whitespace-normal p-3 text-left [&_svg]:mb-1 [&_svg]:text-faint"
            >
              {icon}
              <span>{name}</span>
              <span className="font-normal text-muted text-xs">{description}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
