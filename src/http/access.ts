import type { AnyElysia } from 'elysia';
import type { ErrorCode } from '../shared/errors.ts';
import type { Permission, Role } from '../shared/permissions.ts';
import type { Db } from '../storage/postgres.ts';
import type { LimitName } from './limits.ts';

/** Which credentials a route looks at. */
export type Credential = 'session' | 'orgKey' | 'device';

/** Whether an id in the path belongs to the organization, and to the app where the path names one. */
export type OwnershipCheck = (
  db: Db,
  scope: { orgId: string; appId: string | null },
  id: string,
) => Promise<boolean>;

/** Secrets of the operator that stand for a caller. */
export type OperatorSecret = 'cronSecret' | 'metricsToken' | 'lakeToken';

/** Who may call a route and what it can answer, as the macros of `route.ts` derive it. */
export type Access = {
  /** Empty: public, with a secret of the operator, or by a signature that the route verifies. */
  who: readonly Credential[];
  /** What the guard resolves before the handler: nothing, an organization, or an app of it (`:id`). */
  scope: 'none' | 'organization' | 'app';
  /** Instead of a caller; the guard checks it. */
  secret?: OperatorSecret;
  permission?: Permission;
  /** For routes of a session: the roles that may call it, where no permission says so. */
  roles?: readonly Role[];
  limit: LimitName | 'none';
  /** The body may be a form, whose fields mean nothing; the query says what is asked for. */
  takesForm?: true;
  /** For routes that anybody may call: who is signed in is counted as that person. */
  countedBySession?: boolean;
  /** Path parameters besides `:id` whose owner the guard checks. */
  owns?: Readonly<Record<string, OwnershipCheck>>;
  /** While the database is away, callers verified this recently still count. */
  graceMs?: number;
  /** The code of a body, query or path that does not fit; `invalid_input` unless said. */
  invalid?: ErrorCode;
  /** Bodies refused before the handler are counted as rejected batches of the app. */
  countsRejections?: boolean;
  /** What the route itself can answer beyond what its access implies. */
  errors?: readonly ErrorCode[];
};

/** The access of each registered route, by `METHOD /path/:param`, in the order of registration. */
export type AccessTable = Readonly<Record<string, Access>>;

type Hook = (...args: never[]) => unknown;
const accessByHook = new WeakMap<Hook, Access>();

/** Remembers the access that a hook enforces, so that `accessTable` can read it from the routes. */
export function declareAccess<T extends Hook>(access: Access, hook: T): T {
  accessByHook.set(hook, access);
  return hook;
}

/** Throws for a route that says nothing of who may call it, or checks ids that its path does not hold. */
function accessOf(route: string, hooks: { transform?: readonly { fn: Hook }[] }): Access {
  const [access, second] = (hooks.transform ?? []).flatMap(({ fn }) => accessByHook.get(fn) ?? []);
  if (!access || second) throw new Error(`${route} needs one macro that says who may call it.`);
  const params = [...(access.scope === 'app' ? ['id'] : []), ...Object.keys(access.owns ?? {})];
  const missing = params.filter((param) => !route.split('/').includes(`:${param}`));
  if (missing.length > 0) throw new Error(`${route} has no :${missing.join(', :')} in its path.`);
  return access;
}

/** Reads the access of every route of `app`. */
export function accessTable({ routes }: AnyElysia): AccessTable {
  return Object.fromEntries(
    routes.map(({ method, path, hooks }) => {
      const route = `${method} ${path}`;
      return [route, accessOf(route, hooks)];
    }),
  );
}
