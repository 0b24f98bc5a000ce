import type { PinnedView } from './pins.ts';

export const savedIn = ({ query }: PinnedView): string | null =>
  new URLSearchParams(query).get('saved');

/** In place of its older one. */
export function pinsAfter(
  pins: readonly PinnedView[],
  pin: PinnedView,
  isPinned: boolean,
): PinnedView[] {
  const id = savedIn(pin);
  const isSame = (one: PinnedView) =>
    id === null ? one.page === pin.page && one.query === pin.query : savedIn(one) === id;
  if (!isPinned) return pins.filter((one) => !isSame(one));
  return pins.some(isSame) ? pins.map((one) => (isSame(one) ? pin : one)) : [...pins, pin];
}
