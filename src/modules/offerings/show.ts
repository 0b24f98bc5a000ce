import type { DeviceContext } from '../../context.ts';
import { type DecideNeeds, decideFlag } from '../flags/index.ts';
import type { DeviceOfferings, OfferingsQuery } from './model.ts';

type Showing = DeviceContext<DecideNeeds | 'offerings'>;

/** Asking is no exposure; `shown` says that the offering is on the screen, which is one. */
export async function showOfferings(
  ctx: Showing,
  { anonymousId, shown, ...context }: OfferingsQuery,
): Promise<DeviceOfferings> {
  const { offerings, defaultOffering, flag } = await ctx.deps.offerings.find(ctx);
  const rest = { current: defaultOffering, offerings, chosenBy: null };
  if (flag === null || anonymousId === undefined) return rest;
  const asked = { key: flag, context: { ...context, targetingKey: anonymousId } };
  const decided = await decideFlag(ctx, { ...asked, isShown: shown === 'true' });
  const chosen = offerings.find(({ identifier }) => identifier === decided?.value);
  if (!decided || !chosen) return rest;
  const { variant, reason } = decided;
  return { current: chosen.identifier, offerings, chosenBy: { flag, variant, reason } };
}
