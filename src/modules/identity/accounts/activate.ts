import { AppError } from '../../../shared/errors.ts';
import type { VisitorContext } from '../../../context.ts';
import { callAs } from './visitor.ts';

export async function activate(
  ctx: VisitorContext<'identity'>,
  organizationId: string | null,
): Promise<string[]> {
  try {
    const { headers } = await callAs(ctx, (api, headers) =>
      api.setActiveOrganization({ body: { organizationId }, headers, returnHeaders: true }),
    );
    return headers.getSetCookie();
  } catch (thrown) {
    // better-auth crashes on a session that ended meanwhile.
    if (thrown instanceof AppError || (await hasSession(ctx))) throw thrown;
    throw new AppError('not_signed_in', 'You are not signed in.', { cause: thrown });
  }
}

const hasSession = async (ctx: VisitorContext<'identity'>): Promise<boolean> =>
  (await callAs(ctx, (api, headers) => api.getSession({ headers }))) !== null;
