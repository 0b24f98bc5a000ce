import type { AppContext } from '../../../context.ts';
import type { Onboarding } from './model.ts';
import { selectOnboardings } from './queries.ts';

/** Default first. */
export async function listOnboardings({ deps, orgId, app }: AppContext): Promise<Onboarding[]> {
  return selectOnboardings(deps.sql, { orgId, appId: app.id });
}
