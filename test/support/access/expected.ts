import type { Access } from '../../../src/http/access.ts';
import { ROLE_PERMISSIONS } from '../../../src/shared/permissions.ts';
import type { Known, Principal } from './principals.ts';

/** The status that the guard must answer, or null when the request reaches its handler. */
type Verdict = number | null;

function counts(access: Access, { known, presentsKey }: Principal): Known | 'refused' {
  if (access.who.includes('device')) return known?.kind === 'device' ? known : 'refused';
  if (access.who.includes('flagKey')) return known?.kind === 'flagReader' ? known : 'refused';
  // A key counts before a cookie, also where keys do not serve.
  if (presentsKey && !access.who.includes('orgKey')) return 'refused';
  return known?.kind === (presentsKey ? 'orgKey' : 'session') ? known : 'refused';
}

function permitted(access: Access, known: Known): boolean {
  const held =
    known.kind === 'orgKey'
      ? known.permissions
      : known.kind === 'session' && known.role
        ? ROLE_PERMISSIONS[known.role]
        : [];
  const role = known.kind === 'session' ? known.role : null;
  const roleFits = access.roles === undefined || (role !== null && access.roles.includes(role));
  return roleFits && (access.permission === undefined || held.includes(access.permission));
}

/**
 * The rules of the design (§3, §4) for a request to something of the stage's own organization,
 * written a second time and without the guard's code.
 */
export function expectedVerdict(access: Access, principal: Principal): Verdict {
  if (access.who.length === 0) return null;
  const known = counts(access, principal);
  if (known === 'refused') return 401;
  if (known.kind === 'device' || known.kind === 'flagReader' || access.scope === 'none')
    return null;
  if (known.org === null) return 400;
  const ownsSomething = access.scope === 'app' || access.owns !== undefined;
  if (ownsSomething && known.org === 'other') return 404;
  return permitted(access, known) ? null : 403;
}
