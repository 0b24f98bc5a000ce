import { Elysia } from 'elysia';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { accessTable } from '../../src/http/access.ts';
import { pipeline } from '../../src/http/pipeline.ts';
import { access } from '../../src/http/route.ts';
import { noEntitlement } from '../../src/modules/purchases/entitlement/rules.ts';
import { Entitlement, EntitlementQuery } from '../../src/modules/purchases/model/wire.ts';

/** The same route, guard and schemas, but all it does is one SELECT by a primary key. */
const deps = await createDeps(loadConfig(), 'api');
const route = new Elysia().use(access).get(
  '/v1/purchases/entitlement',
  async ({ ctx, query }) => {
    const [row] = await deps.sql<{ checked_at: Date }[]>`
      SELECT digest, checked_at FROM purchase_chains
      WHERE app_id = ${ctx.appId} AND environment = 'Production'
        AND original_transaction_id = ${query.originalTransactionId ?? ''}`;
    if (!row) throw new Error('The benchmark asks for a chain that is not there.');
    return noEntitlement(row.checked_at.getTime(), 'Production');
  },
  {
    forDevice: { limit: 'purchases' },
    query: EntitlementQuery,
    response: { 200: Entitlement },
  },
);
const app = new Elysia({ normalize: false })
  .use(pipeline({ deps, isHeld: () => false, findApp: async () => null }, accessTable(route)))
  .use(route);
app.listen({ port: 0, hostname: '127.0.0.1' });
process.send?.({ details: { address: `http://127.0.0.1:${app.server?.port}` } });
process.on('SIGTERM', () => process.exit(0));
