import type { Span } from './chain.ts';
import type { DurationName } from './period-length.ts';

export type Paid = {
  productId: string;
  country: string;
  duration: DurationName;
  /** Unrounded; 0 for an unknown price or rate. */
  mrr: number;
};

export type Move =
  | { kind: 'new'; at: number; before: null; after: Paid }
  /** `left`: its state at the end before. */
  | { kind: 'returned'; at: number; before: null; after: Paid; left: Paid }
  /** `revalued`: MRR of `before` at the rate of the day of `after`. */
  | { kind: 'changed' | 'recovered'; at: number; before: Paid; after: Paid; revalued: number }
  | { kind: 'churned'; at: number; before: Paid; after: null; reason: Span['reason'] };

export type Valuation = {
  paidOf: (span: Span) => Paid;
  revalue: (before: Span, after: Span) => number;
};

/** New: first paid period. Returned: paid after an end. Recovered: within grace, no movement. */
export function findMoves(
  spans: readonly Span[],
  { paidOf, revalue }: Valuation,
  paidBefore: Span | null,
): Move[] {
  const moves: Move[] = [];
  let last = paidBefore;
  let current: { span: Span; paid: Paid } | null = null;
  const end = ({ span, paid }: { span: Span; paid: Paid }) => {
    moves.push({ kind: 'churned', at: span.to, before: paid, after: null, reason: span.reason });
  };
  for (const span of spans) {
    const isPaid = span.kind === 'paid';
    const continues = current !== null && isPaid && current.span.to === span.from;
    if (current !== null && !continues) end(current);
    if (!isPaid) {
      current = null;
      continue;
    }
    const after = paidOf(span);
    const at = span.from;
    if (current !== null && continues) {
      const { graceFrom, ended } = current.span;
      const kind = graceFrom !== null && ended >= at ? 'recovered' : 'changed';
      const revalued = revalue(current.span, span);
      moves.push({ kind, at, before: current.paid, after, revalued });
    } else if (last) {
      moves.push({ kind: 'returned', at, before: null, after, left: paidOf(last) });
    } else {
      moves.push({ kind: 'new', at, before: null, after });
    }
    last = span;
    current = { span, paid: after };
  }
  if (current !== null) end(current);
  return moves;
}

export type Amount = { count: number; mrr: number };

export class Movement {
  readonly start: Amount = { count: 0, mrr: 0 };
  readonly new: Amount = { count: 0, mrr: 0 };
  readonly returned: Amount = { count: 0, mrr: 0 };
  readonly switchedIn: Amount = { count: 0, mrr: 0 };
  readonly expansion: Amount = { count: 0, mrr: 0 };
  readonly contraction: Amount = { count: 0, mrr: 0 };
  readonly churned: Amount = { count: 0, mrr: 0 };
  readonly switchedOut: Amount = { count: 0, mrr: 0 };
  /** Signed, MRR only. */
  exchange = 0;
  recovered = 0;

  add(move: Move, partOf: (paid: Paid) => boolean = () => true): void {
    const before = move.before !== null && partOf(move.before) ? move.before : null;
    const after = move.after !== null && partOf(move.after) ? move.after : null;
    if (before && after && (move.kind === 'changed' || move.kind === 'recovered')) {
      this.change(after.mrr - move.revalued);
      this.exchange += move.revalued - before.mrr;
      if (move.kind === 'recovered') this.recovered += 1;
    } else if (after) {
      const kind = move.kind === 'new' || move.kind === 'returned' ? move.kind : 'switchedIn';
      count(this[kind], after.mrr);
    } else if (before) {
      count(move.kind === 'churned' ? this.churned : this.switchedOut, before.mrr);
    }
  }

  begin(paid: Paid): void {
    count(this.start, paid.mrr);
  }

  private change(mrr: number): void {
    if (mrr > 0) count(this.expansion, mrr);
    else if (mrr < 0) count(this.contraction, -mrr);
  }
}

function count(amount: Amount, mrr: number): void {
  amount.count += 1;
  amount.mrr += mrr;
}
