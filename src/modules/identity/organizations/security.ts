import type { MemberContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Db } from '../../../storage/postgres.ts';
import type { OrganizationSecurity } from '../model/second-factor.ts';
import { findFactor } from '../second-factor/queries.ts';
import { selectSecurity, upsertSecurity } from './security-queries.ts';

export async function showSecurity(ctx: MemberContext<'sql'>): Promise<OrganizationSecurity> {
  return selectSecurity(ctx.deps.sql, ctx.orgId);
}

/** Throws `conflict` for an owner who would lock themselves out. */
export async function setSecurity(
  ctx: MemberContext<'clock' | 'identity' | 'sql'>,
  security: OrganizationSecurity,
): Promise<OrganizationSecurity> {
  const { clock, identity, sql } = ctx.deps;
  const isAsked = security.secondFactorRequired && ctx.onlyOrgId === undefined;
  if (isAsked && !(await findFactor(sql, ctx.userId))?.isOn) {
    throw new AppError('conflict', 'You have no second factor yourself.', {
      hint: 'Set one up first: POST /v1/auth/second-factor.',
    });
  }
  await sql.begin((tx: Db) => upsertSecurity(tx, { orgId: ctx.orgId, ...security, now: clock() }));
  identity.authenticator.forgetOrganization(ctx.orgId);
  return security;
}
