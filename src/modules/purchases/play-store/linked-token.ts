import type { PlayFound } from '../../../providers/play-store/port.ts';

const UNPAID: ReadonlySet<string> = new Set(['pending', 'pending_canceled']);

/** The chain of the linked token is that of its successor, which replaces it only once it is paid. */
export function linkedToken({ kind, purchase }: PlayFound): {
  linked: string | null;
  replaces: string | null;
} {
  const linked = kind === 'subscription' ? purchase.replacesToken : null;
  return { linked, replaces: UNPAID.has(purchase.state) ? null : linked };
}
