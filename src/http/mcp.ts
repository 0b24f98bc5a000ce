import { Elysia } from 'elysia';
import { must } from '../shared/assert.ts';
import { permissionsOf } from './guard.ts';
import { readTools } from './mcp-tools.ts';
import { access } from './route.ts';
import { stateOf } from './state.ts';

/**
 * The endpoint for assistants (Model Context Protocol, Streamable HTTP): the routes that read, as
 * tools. A call is a request of its caller to that route, through everything that requests go
 * through, so it has that route's permission, limit, validation and log line. ADR 0161.
 */
export function mcpRoutes(paths: unknown, answer: (request: Request) => Promise<Response>) {
  const tools = readTools(paths);
  return new Elysia({ detail: { hide: true } }).use(access).post(
    '/v1/mcp',
    async ({ request, body }) => {
      // The SDK costs half a second and is needed by few: it is loaded with the first call.
      const { answerMcp } = await import('./mcp-server.ts');
      const caller = must(stateOf(request).caller, 'the guard identified the caller');
      return answerMcp({ request, body, tools, permissions: permissionsOf(caller), answer });
    },
    { forOrganization: true },
  );
}
