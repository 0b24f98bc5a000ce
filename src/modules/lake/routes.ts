import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import {
  checkNamespace,
  lakeConfig,
  lakeNamespace,
  lakeNamespaces,
  lakeTable,
  lakeTables,
} from '../../lake/catalogue.ts';

const NAMESPACE = '/namespaces/:namespace';
const TABLE = `${NAMESPACE}/tables/:table`;

const OPERATOR = { secret: 'lakeToken', errors: ['not_found', 'invalid_api_key'] } as const;
const options = { open: OPERATOR };

/** Read-only Iceberg REST: https://iceberg.apache.org/rest-catalog-spec/. */
export const lakeRoutes = new Elysia({ prefix: '/v1/lake/v1', detail: { hide: true } })
  .use(access)
  .get('/config', ({ ctx }) => lakeConfig(ctx.deps), options)
  .get('/namespaces', () => lakeNamespaces(), options)
  .get(
    NAMESPACE,
    ({ params }) => {
      checkNamespace(params.namespace);
      return lakeNamespace();
    },
    options,
  )
  .get(
    `${NAMESPACE}/tables`,
    async ({ ctx, params }) => {
      checkNamespace(params.namespace);
      return lakeTables(ctx.deps);
    },
    options,
  )
  .get(
    TABLE,
    async ({ ctx, params }) => {
      checkNamespace(params.namespace);
      return lakeTable(ctx.deps, params.table);
    },
    options,
  );
