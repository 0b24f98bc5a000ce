import type { OrgContext } from '../../context.ts';
import type { Webhook } from './model.ts';
import { selectWebhooks } from './queries.ts';

export async function listWebhooks({ deps, orgId }: OrgContext): Promise<Webhook[]> {
  return selectWebhooks(deps.sql, orgId);
}
