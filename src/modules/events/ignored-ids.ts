import type { DeviceContext } from '../../context.ts';
import { IGNORED_ID } from '../../event-store/append.ts';
import { isNoId } from '../../shared/identity.ts';
import type { EventInput } from './model.ts';

const FIELDS = ['userId', 'anonymousId'] as const;

export function noteIgnoredIds(
  ctx: DeviceContext<'events'>,
  events: readonly EventInput[],
  nowMs: number,
): void {
  for (const field of FIELDS) {
    const ignored = events.filter(({ [field]: id }) => id && isNoId(id));
    const last = ignored.at(-1);
    if (!last) continue;
    const said = `${JSON.stringify(last[field])} in ${JSON.stringify(last)}`;
    ctx.deps.events.rejections.add(ctx, `${IGNORED_ID}${field}`, said, nowMs, ignored.length);
  }
}
