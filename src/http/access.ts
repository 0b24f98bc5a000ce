import type { AnyElysia } from 'elysia';
import type { AppError, ErrorCode } from '../shared/errors.ts';
import type { Permission, Role } from '../shared/permissions.ts';
import type { Db } from '../storage/postgres.ts';
import type { LimitName } from './limits.ts';

export type Credential = 'session' | 'orgKey' | 'device' | 'flagKey';

export type OwnershipCheck = (
  db: Db,
  scope: { orgId: string; appId: string | null },
  id: string,
) => Promise<boolean>;

export type OperatorSecret = 'cronSecret' | 'metricsToken' | 'lakeToken';

/** Without a key in the headers, the body has it. */
export type KeyPlace = {
  inHeaders?: (headers: Headers) => string | undefined;
  inBody: (sent: unknown) => string | undefined;
};

export type BinaryForm = { contentType: string; parse: (bytes: Uint8Array) => Promise<unknown> };

export type SentError = {
  error: AppError;
  /** Message and hint. */
  text: string;
  path: string;
  body: { error: { code: ErrorCode; message: string; hint?: string } };
};

/** How a foreign protocol differs in requests and answers. */
export type Protocol = {
  /** As `binary`: the body has the intake's limits. */
  keyOf?: KeyPlace;
  binary?: BinaryForm;
  /** Clients drop what is refused. */
  takesLongPlain?: true;
  /** A body's form; skipped where the query holds the input. */
  form?: 'read' | 'skipped';
  forPages?: true;
  errorBody?: (sent: SentError) => object;
  /** Its clients drop at a 429. */
  retriesAt503?: true;
};

/** For clients on a listener of their own: their help, and formats by path without a route. */
export type OtherClients = { hint: string; protocolOf: (path: string) => Protocol | undefined };

export type Access = {
  /** Empty: public, or by an operator secret or a signature. */
  who: readonly Credential[];
  /** Resolved by the guard; `app` from `:id`. */
  scope: 'none' | 'organization' | 'app';
  secret?: OperatorSecret;
  permission?: Permission;
  /** For session routes without a permission. */
  roles?: readonly Role[];
  limit: LimitName | 'none';
  /** Owner of the rows, outside an organization's scope. */
  rows?: 'account' | 'self';
  countedBySession?: boolean;
  /** Owner checks of path parameters besides `:id`. */
  owns?: Readonly<Record<string, OwnershipCheck>>;
  /** In a database outage, accepts callers verified this recently. */
  graceMs?: number;
  /** Code of schema misfits; `invalid_input` by default. */
  invalid?: ErrorCode;
  /** As the app's rejected batches. */
  countsRejections?: boolean;
  protocol?: Protocol;
  hasEtag?: true;
  /** CSV has `x-cut-by`. */
  cutsAnswers?: true;
  errors?: readonly ErrorCode[];
  operation?: string;
};

export type AccessTable = Readonly<Record<string, Access>>;

type Hook = (...args: never[]) => unknown;
const accessByHook = new WeakMap<Hook, Access>();

export function declareAccess<T extends Hook>(access: Access, hook: T): T {
  accessByHook.set(hook, access);
  return hook;
}

function declaredAccess(route: string, hooks: { transform?: readonly { fn: Hook }[] }): Access {
  const [access, second] = (hooks.transform ?? []).flatMap(({ fn }) => accessByHook.get(fn) ?? []);
  if (!access || second) throw new Error(`${route} needs one macro that says who may call it.`);
  const params = [...(access.scope === 'app' ? ['id'] : []), ...Object.keys(access.owns ?? {})];
  const missing = params.filter((param) => !route.split('/').includes(`:${param}`));
  if (missing.length > 0) throw new Error(`${route} has no :${missing.join(', :')} in its path.`);
  return access;
}

export function accessTable({ routes }: AnyElysia): AccessTable {
  return Object.fromEntries(
    routes.map(({ method, path, hooks }) => {
      const route = `${method} ${path}`;
      const access = declaredAccess(route, hooks);
      const operation: unknown = hooks.detail?.operationId;
      if (typeof operation === 'string') access.operation = operation;
      return [route, access];
    }),
  );
}

export const isIntake = ({ protocol }: Access): boolean =>
  protocol?.keyOf !== undefined || protocol?.binary !== undefined;

/** The listener of other products' clients. */
export const isForOtherClients = (access: AccessTable): boolean =>
  Object.values(access).some(({ protocol }) => protocol?.keyOf !== undefined);

/** Any JSON, kept as sent. */
export const keepsNumbers = (access: Access): boolean =>
  isIntake(access) || access.limit === 'logs';
