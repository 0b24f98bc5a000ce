import type { OrgContext } from '../../context.ts';
import type { IngestLogInput, LogAccepted } from './model.ts';
import { toRecord } from './record.ts';

export async function ingestLog(ctx: OrgContext, input: IngestLogInput): Promise<LogAccepted> {
  await ctx.deps.logBook.append(toRecord(ctx.orgId, ctx.deps.clock(), input));
  return { accepted: true };
}
