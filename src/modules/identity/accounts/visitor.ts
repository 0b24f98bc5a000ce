import type { VisitorContext } from '../../../context.ts';
import { toIso } from '../../../shared/time.ts';
import { CLIENT_ADDRESS_HEADER } from '../organizations/auth.ts';
import type { User } from './model.ts';

/** The headers that better-auth may see: nothing else of a request reaches it. */
export function authHeaders({ headers, address }: Pick<VisitorContext, 'headers' | 'address'>) {
  const passed = new Headers({ [CLIENT_ADDRESS_HEADER]: address });
  const cookie = headers.get('cookie');
  if (cookie !== null) passed.set('cookie', cookie);
  const userAgent = headers.get('user-agent')?.slice(0, 256);
  if (userAgent !== undefined) passed.set('user-agent', userAgent);
  return passed;
}

export function toUser(user: { id: string; name: string; email: string; createdAt: Date }): User {
  return { id: user.id, name: user.name, email: user.email, createdAt: toIso(user.createdAt) };
}
