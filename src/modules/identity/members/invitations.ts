import type { OrgContext, UserContext, VisitorContext, WithCookies } from '../../../context.ts';
import { AppError, notFound, orNotFound } from '../../../shared/errors.ts';
import * as queries from '../accounts/invitations-queries.ts';
import { activate, showSession } from '../accounts/sessions.ts';
import type { PersonContext } from '../accounts/visitor.ts';
import type { CurrentSession, Done } from '../model/account.ts';
import * as model from '../model/member.ts';

export async function listInvitations({
  deps,
  orgId,
}: OrgContext<'clock' | 'sql'>): Promise<model.Invitation[]> {
  return queries.listOpenInvitations(deps.sql, orgId, deps.clock());
}

export async function cancelInvitation(
  { deps, orgId }: OrgContext<'sql'>,
  { email }: { email: string },
): Promise<Done> {
  if (!(await queries.cancelOpenInvitations(deps.sql, orgId, email))) throw notFound();
  return { status: true };
}

export async function showInvitation(
  { deps, userId }: UserContext<'clock' | 'sql'>,
  { id }: { id: string },
): Promise<model.ReceivedInvitation> {
  const secret = { secret: id, userId, now: deps.clock() };
  return orNotFound(await queries.findReceivedInvitation(deps.sql, secret));
}

export async function readInvitation(
  { deps }: VisitorContext<'clock' | 'sql'>,
  { invitationId }: { invitationId: string },
): Promise<model.OfferedInvitation> {
  return orNotFound(await queries.findOfferedInvitation(deps.sql, invitationId, deps.clock()));
}

export async function acceptInvitation(
  ctx: PersonContext<'clock' | 'identity' | 'sql'>,
  { invitationId }: { invitationId: string },
): Promise<WithCookies<CurrentSession>> {
  const { deps, userId } = ctx;
  const joined = await queries.joinByInvitation(deps.sql, {
    secret: invitationId,
    userId,
    now: deps.clock(),
    maxMembers: model.MAX_MEMBERS,
  });
  if (joined === 'none') throw notFound();
  if (joined === 'member') throw new AppError('conflict', 'You are a member already.');
  if (joined === 'full') {
    throw new AppError('conflict', `An organization has at most ${model.MAX_MEMBERS} members.`, {
      hint: 'Ask an owner or admin to remove a member first.',
    });
  }
  await activate(ctx, joined.orgId);
  deps.identity.authenticator.forgetUser(userId);
  return showSession(ctx);
}

export async function rejectInvitation(
  { deps, userId }: UserContext<'clock' | 'sql'>,
  { invitationId }: { invitationId: string },
): Promise<Done> {
  const input = { secret: invitationId, userId, now: deps.clock() };
  if (!(await queries.rejectOpenInvitation(deps.sql, input))) throw notFound();
  return { status: true };
}
