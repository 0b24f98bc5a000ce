import { AppError } from '../../../shared/errors.ts';
import { callAs, type PersonContext } from './visitor.ts';

/**
 * Makes an organization, or none, the active one of this session; gives the cookies of it.
 * Throws `not_signed_in` for a session that has ended since the request came.
 */
export async function activate(
  ctx: PersonContext<'identity'>,
  organizationId: string | null,
): Promise<string[]> {
  try {
    const { headers } = await callAs(ctx, (api, headers) =>
      api.setActiveOrganization({ body: { organizationId }, headers, returnHeaders: true }),
    );
    return headers.getSetCookie();
  } catch (thrown) {
    // better-auth goes on with the session that it found no more, and stumbles.
    if (thrown instanceof AppError || (await hasSession(ctx))) throw thrown;
    throw new AppError('not_signed_in', 'You are not signed in.', { cause: thrown });
  }
}

const hasSession = async (ctx: PersonContext<'identity'>): Promise<boolean> =>
  (await callAs(ctx, (api, headers) => api.getSession({ headers }))) !== null;
