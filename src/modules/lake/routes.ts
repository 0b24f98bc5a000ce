import { Elysia } from 'elysia';
import type { SentError } from '../../http/access.ts';
import { access } from '../../http/route.ts';
import * as catalogue from '../../lake/catalogue.ts';
import { ERROR_STATUS, type ErrorCode } from '../../shared/errors.ts';

const NAMESPACE = '/namespaces/:namespace';
const TABLE = `${NAMESPACE}/tables/:table`;

const TYPES: Partial<Record<ErrorCode, string>> = {
  invalid_api_key: 'NotAuthorizedException',
  unavailable: 'ServiceUnavailableException',
  internal: 'InternalServerError',
};

/** The only format Iceberg clients read. */
function errorBody({ error, path }: SentError) {
  const code = ERROR_STATUS[error.code];
  const missing = path.includes('/tables/') ? 'NoSuchTableException' : 'NoSuchNamespaceException';
  const type = code === 404 ? missing : (TYPES[error.code] ?? 'BadRequestException');
  return { error: { message: error.message, type, code } };
}

const OPERATOR = {
  secret: 'lakeToken',
  errors: ['not_found', 'invalid_api_key'],
  protocol: { errorBody },
} as const;
const options = { open: OPERATOR };

/** Read-only Iceberg REST: https://iceberg.apache.org/rest-catalog-spec/. */
export const lakeRoutes = new Elysia({ prefix: '/v1/lake/v1', detail: { hide: true } })
  .use(access)
  .get('/config', ({ ctx }) => catalogue.lakeConfig(ctx.deps), options)
  .get('/namespaces', () => catalogue.lakeNamespaces(), options)
  .get(
    NAMESPACE,
    ({ params }) => {
      catalogue.checkNamespace(params.namespace);
      return catalogue.lakeNamespace();
    },
    options,
  )
  .get(
    `${NAMESPACE}/tables`,
    async ({ ctx, params }) => {
      catalogue.checkNamespace(params.namespace);
      return catalogue.lakeTables(ctx.deps);
    },
    options,
  )
  .get(
    TABLE,
    async ({ ctx, params }) => {
      catalogue.checkNamespace(params.namespace);
      return catalogue.lakeTable(ctx.deps, params.table);
    },
    options,
  );
