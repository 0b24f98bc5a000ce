import { Elysia } from 'elysia';
import { must } from '../shared/assert.ts';
import { grantedPermissions } from './guard.ts';
import { type ReadTool, readTools } from './mcp-tools.ts';
import { access } from './route.ts';
import { requestState } from './state.ts';

/** ADR 0045. Calls run the whole pipeline: permission, limit, validation, log. */
export function mcpRoutes(document: () => object, answer: (request: Request) => Promise<Response>) {
  let tools: ReadTool[] | undefined;
  return new Elysia({ detail: { hide: true } }).use(access).post(
    '/v1/mcp',
    async ({ request, body }) => {
      // Lazy: the library takes 25 MB, and few need it.
      const { answerMcp } = await import('./mcp-server.ts');
      const caller = must(requestState(request).caller, 'the guard identified the caller');
      tools ??= readTools(document());
      return answerMcp({ request, body, tools, permissions: grantedPermissions(caller), answer });
    },
    { forOrganization: true },
  );
}
