import { Elysia } from 'elysia';
import { PATH_OWNERS } from '../../src/app/chapters.ts';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { pipeline } from '../../src/http/pipeline.ts';
import { deviceContext } from '../../src/http/state.ts';
import { noEntitlement } from '../../src/modules/purchases/entitlement.ts';
import { Entitlement, EntitlementQuery } from '../../src/modules/purchases/model.ts';

/** The same route, guard and schemas, but all it does is one SELECT by a primary key. */
const deps = await createDeps(loadConfig(), 'api');
const app = new Elysia({ normalize: false }).use(pipeline(deps, PATH_OWNERS)).get(
  '/v1/purchases/entitlement',
  async ({ request, query }) => {
    const { appId } = deviceContext(request);
    const [row] = await deps.sql<{ checked_at: Date }[]>`
      SELECT digest, checked_at FROM purchase_chains
      WHERE app_id = ${appId} AND environment = 'Production'
        AND original_transaction_id = ${query.originalTransactionId ?? ''}`;
    if (!row) throw new Error('The benchmark asks for a chain that is not there.');
    return noEntitlement(row.checked_at.getTime(), 'Production');
  },
  { query: EntitlementQuery, response: { 200: Entitlement } },
);
app.listen({ port: 0, hostname: '127.0.0.1' });
process.send?.({ details: { address: `http://127.0.0.1:${app.server?.port}` } });
process.on('SIGTERM', () => process.exit(0));
