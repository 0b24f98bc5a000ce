import type { OrgContext, UserContext, WithCookies } from '../../../context.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { activate } from '../accounts/activate.ts';
import {
  cancelOpenInvitations,
  findReceivedInvitation,
  joinByInvitation,
  listOpenInvitations,
  rejectOpenInvitation,
} from '../accounts/invitations-queries.ts';
import { showSession } from '../accounts/sessions.ts';
import type { PersonContext } from '../accounts/visitor.ts';
import type { CurrentSession, Done } from '../model/account.ts';
import type { Invitation, ReceivedInvitation } from '../model/member.ts';

const MAX_MEMBERS = 500;

/** The open invitations of the active organization, newest first, without their secrets. */
export async function listInvitations({
  deps,
  orgId,
}: OrgContext<'clock' | 'sql'>): Promise<Invitation[]> {
  return listOpenInvitations(deps.sql, orgId, deps.clock());
}

/** Ends the open invitation to an address. Throws `not_found` when there is none. */
export async function cancelInvitation(
  { deps, orgId }: OrgContext<'sql'>,
  { email }: { email: string },
): Promise<Done> {
  if (!(await cancelOpenInvitations(deps.sql, orgId, email))) throw notFound();
  return { status: true };
}

/** An open invitation to the address of the caller. Throws `not_found` for any other. */
export async function showInvitation(
  { deps, userId }: UserContext<'clock' | 'sql'>,
  { id }: { id: string },
): Promise<ReceivedInvitation> {
  const secret = { secret: id, userId, now: deps.clock() };
  const invitation = await findReceivedInvitation(deps.sql, secret);
  if (!invitation) throw notFound();
  return invitation;
}

/**
 * Joins the organization of an invitation, which becomes the active one of this session.
 * Throws `not_found` for an invitation that is unknown, used, too old or somebody else's,
 * `conflict` for a member, and where the organization is full.
 */
export async function acceptInvitation(
  ctx: PersonContext<'clock' | 'identity' | 'sql'>,
  { invitationId }: { invitationId: string },
): Promise<WithCookies<CurrentSession>> {
  const { deps, userId } = ctx;
  const joined = await joinByInvitation(deps.sql, {
    secret: invitationId,
    userId,
    now: deps.clock(),
    maxMembers: MAX_MEMBERS,
  });
  if (joined === 'none') throw notFound();
  if (joined === 'member') throw new AppError('conflict', 'You are a member already.');
  if (joined === 'full') {
    throw new AppError('conflict', `An organization has at most ${MAX_MEMBERS} members.`, {
      hint: 'Ask an owner or admin to remove a member first.',
    });
  }
  await activate(ctx, joined.orgId);
  deps.identity.authenticator.forgetUser(userId);
  return showSession(ctx);
}

/** Turns an invitation down. Throws `not_found` for one that is not the caller's. */
export async function rejectInvitation(
  { deps, userId }: UserContext<'clock' | 'sql'>,
  { invitationId }: { invitationId: string },
): Promise<Done> {
  const input = { secret: invitationId, userId, now: deps.clock() };
  if (!(await rejectOpenInvitation(deps.sql, input))) throw notFound();
  return { status: true };
}
