import { createHmac } from 'node:crypto';
import type { VisitorContext } from '../../../context.ts';
import type { Db } from '../../../storage/postgres.ts';
import { confineSession } from './queries.ts';

type Opened = { orgId: string; userId: string; sid: string | null };

/** A session that opens this organization only, and its cookie as better-auth signs it. */
export async function openSession(
  db: Db,
  { deps, address, headers }: VisitorContext<'identity'>,
  { orgId, userId, sid }: Opened,
): Promise<string> {
  const { authCookies, internalAdapter, secret, sessionConfig } = await deps.identity.auth.$context;
  const session = await internalAdapter.createSession(userId, false, {
    ipAddress: address,
    userAgent: headers.get('user-agent')?.slice(0, 256) ?? '',
  });
  await confineSession(db, { sessionId: session.id, orgId, sid });
  const signature = createHmac('sha256', secret).update(session.token).digest('base64');
  const { name, attributes } = authCookies.sessionToken;
  return [
    `${name}=${encodeURIComponent(`${session.token}.${signature}`)}`,
    `Max-Age=${sessionConfig.expiresIn}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(attributes.secure ? ['Secure'] : []),
  ].join('; ');
}
