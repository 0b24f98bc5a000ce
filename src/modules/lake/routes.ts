import { Elysia } from 'elysia';
import type { SentError } from '../../http/access.ts';
import { access } from '../../http/route.ts';
import {
  checkNamespace,
  lakeConfig,
  lakeNamespace,
  lakeNamespaces,
  lakeTable,
  lakeTables,
} from '../../lake/catalogue.ts';
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
