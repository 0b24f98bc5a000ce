import { randomBytes } from 'node:crypto';
import type { MemberContext } from '../../../context.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import type { Role } from '../../../shared/permissions.ts';
import { HOUR_MS, toIso } from '../../../shared/time.ts';
import * as queries from '../accounts/invitations-queries.ts';
import { findUser } from '../accounts/queries.ts';
import { invitationLink, invitationMail } from '../auth/mails.ts';
import type { NewInvitation } from '../model/member.ts';

const VALID_MS = 48 * HOUR_MS;
const SECRET_BYTES = 24;

/** Each invitation may be a mail to a stranger. */
const LIMITS: queries.InvitationLimits = {
  open: 100,
  ofOrganizationADay: 200,
  ofInviterADay: 200,
  toAddressADay: 10,
};

function refusal(reason: queries.InvitationRefusal): AppError {
  switch (reason) {
    case 'gone':
      return notFound();
    case 'member':
      return new AppError('conflict', 'This person is a member already.');
    case 'open':
      return new AppError(
        'conflict',
        `An organization has at most ${LIMITS.open} open invitations.`,
        {
          hint: 'Cancel some, or wait until they are accepted.',
        },
      );
    case 'day':
      return new AppError('rate_limited', 'There are too many invitations today.', {
        hint: `Try again later. In 24 hours: ${LIMITS.ofOrganizationADay} from one organization, ${LIMITS.ofInviterADay} by one person, ${LIMITS.toAddressADay} to one address.`,
        retryAfterSeconds: HOUR_MS / 1_000,
      });
  }
}

type SentInvitation = queries.CreatedInvitation & { email: string; secret: string };

/** Only the invited person has the secret then. */
async function mailSecret(
  ctx: MemberContext<'identity' | 'log' | 'sql'>,
  invitation: SentInvitation,
): Promise<boolean> {
  const { mailer, consoleUrl } = ctx.deps.identity;
  if (!mailer) return false;
  const inviter = await findUser(ctx.deps.sql, ctx.userId);
  try {
    await mailer.send(
      invitationMail(consoleUrl, {
        ...invitation,
        inviterEmail: inviter?.emailVerified && !ctx.onlyOrgId ? inviter.email : null,
      }),
    );
  } catch (error) {
    ctx.deps.log.error({ err: error }, 'invitation could not be mailed');
    return false;
  }
  await queries.markSecretMailed(ctx.deps.sql, {
    orgId: ctx.orgId,
    invitationId: invitation.invitationId,
  });
  return true;
}

/** Replaces earlier ones. */
export async function inviteMember(
  ctx: MemberContext<'clock' | 'identity' | 'log' | 'sql'>,
  { email: address, role }: { email: string; role: Role },
): Promise<NewInvitation> {
  if (role === 'owner' && ctx.role !== 'owner') {
    throw new AppError('permission_denied', 'You may not do this.', {
      hint: 'Only an owner invites an owner.',
    });
  }
  const { deps, orgId, userId } = ctx;
  const now = deps.clock();
  const email = address.toLowerCase();
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + VALID_MS);
  const secretHash = queries.hashInvitationSecret(secret);
  const created = await queries.insertInvitation(
    deps.sql,
    {
      orgId,
      email,
      role,
      inviterId: userId,
      byCompany: ctx.onlyOrgId !== undefined,
      secretHash,
      now,
      expiresAt,
    },
    LIMITS,
  );
  if (typeof created === 'string') throw refusal(created);
  const mailed = await mailSecret(ctx, { ...created, email, secret });
  return {
    id: mailed ? null : secret,
    link: mailed ? null : invitationLink(deps.identity.consoleUrl, { secret, email }),
    mailed,
    email,
    role,
    expiresAt: toIso(expiresAt),
    createdAt: toIso(now),
  };
}
