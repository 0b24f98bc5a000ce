import { AppError, notYourOrganization, ORGANIZATION_HEADER } from '../shared/errors.ts';
import type { SessionPrincipal } from '../shared/principal.ts';

/** By its id. */
export const namedOrganization = (headers: Headers): string | null =>
  headers.get(ORGANIZATION_HEADER);

type Placed = Pick<SessionPrincipal, 'orgId' | 'isOutside' | 'needsCompany' | 'needsSecondFactor'>;

export function organizationOf(caller: Placed | null): string {
  if (caller && caller.orgId !== null) return caller.orgId;
  if (caller?.isOutside) throw notYourOrganization();
  if (caller?.needsCompany) {
    throw new AppError('permission_denied', 'This organization is opened by its own sign-in.', {
      hint: 'Sign in with your company: GET /v1/auth/oidc/start?organization=SHORT-NAME.',
    });
  }
  if (caller?.needsSecondFactor) {
    throw new AppError('permission_denied', 'This organization asks for a second factor.', {
      hint: 'Set one up under “Your account”, or with POST /v1/auth/second-factor.',
    });
  }
  throw new AppError('no_active_organization', 'There is no active organization.', {
    hint: `Name one in ${ORGANIZATION_HEADER}, or choose one with POST /v1/auth/organization/set-active.`,
  });
}
