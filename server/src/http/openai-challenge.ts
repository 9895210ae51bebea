// /.well-known/openai-apps-challenge: how OpenAI finds out that the domain of an app belongs to who submits it.

import { publicResponses } from '../api/responses.ts';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors/errors.ts';

const example = 'a1b2c3d4e5f6';

export function openaiChallengeRoutes(server: Server, app: App): void {
  server.get(
    '/.well-known/openai-apps-challenge',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getOpenAiAppsChallenge',
        summary: 'Get the challenge of the ChatGPT app directory',
        description: 'The text of `TOOLGATE_OPENAI_APPS_CHALLENGE`; 404 if it is not set.',
        tags: ['Directories'],
        response: publicResponses(
          { 200: { description: 'The challenge', content: { 'text/plain': { schema: { type: 'string' }, example } } } },
          'notFound',
        ),
      },
    },
    async (_request, reply) => {
      const { openai_challenge } = app.config;
      if (openai_challenge === null) throw refuse.notFound();
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(openai_challenge);
    },
  );
}
