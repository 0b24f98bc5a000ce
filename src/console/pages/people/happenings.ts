import { FILTER_FIELDS } from '../../../shared/event-fields.ts';
import { locale } from '../../format.ts';
import { people as t } from '../../texts/people.ts';
import type { Customer, Event } from './queries.ts';

export type Kind = keyof typeof t.kind;
export type Happening = { at: string; kind: Kind; what: string; details: string; href?: string };
export type Experiment = {
  id: string;
  appId: string;
  name: string;
  arms: { id: string; name: string }[];
};
type Purchase = Customer['purchases'][number];

const EXPOSURE = '$exposure';
const MILLI = 1_000;

function ofEvent(event: Event, experiments: readonly Experiment[]): Happening {
  const { name, occurredAt: at, props } = event;
  if (name === EXPOSURE) {
    const experiment = experiments.find(({ id }) => id === props?.experiment);
    const arm = experiment?.arms.find(({ id }) => id === props?.arm);
    return {
      at,
      kind: 'arm',
      what: `${experiment?.name ?? props?.experiment}: ${arm?.name ?? props?.arm}`,
      details: '',
      ...(experiment && { href: `/apps/${experiment.appId}/experiments/${experiment.id}` }),
    };
  }
  const context = FILTER_FIELDS.flatMap((name) => event[name] ?? []).join(' ');
  const own = props && Object.keys(props).length > 0 ? JSON.stringify(props) : '';
  return { at, kind: 'event', what: name, details: [context, own].filter(Boolean).join(' · ') };
}

type Transaction = Purchase['transactions'][number];

const price = ({ priceMilliunits, currency }: Transaction): string =>
  priceMilliunits === null || currency === null
    ? ''
    : ` ${new Intl.NumberFormat(locale, { style: 'currency', currency }).format(priceMilliunits / MILLI)}`;

function ofPurchase({ transactions, renewals }: Purchase): Happening[] {
  const bought = transactions.flatMap((transaction): Happening[] => {
    const { productId, purchasedAt, ownership, freeTrial, reason } = transaction;
    const act = freeTrial ? t.acts.trial : reason === 'RENEWAL' ? t.acts.renewed : t.acts.bought;
    const row = { kind: 'purchase', details: productId } as const;
    const isShared = ownership === 'family_shared';
    const unsharedAt = transaction.upgraded ? null : transaction.revokedAt;
    const at = isShared ? unsharedAt : transaction.refundedAt;
    return [
      { ...row, at: purchasedAt, what: `${act}${freeTrial ? '' : price(transaction)}` },
      ...(at === null ? [] : [{ ...row, at, what: isShared ? t.acts.unshared : t.acts.refunded }]),
    ];
  });
  const oldestFirst = renewals.toReversed();
  const changed = oldestFirst.flatMap(({ at, willRenew, inBillingRetry, renewsTo }, index) => {
    const before = oldestFirst[index - 1];
    const isRetry = inBillingRetry && !before?.inBillingRetry;
    const isChange = willRenew !== (before?.willRenew ?? true);
    if (!isRetry && !isChange) return [];
    const what = isRetry ? t.acts.retry : willRenew ? t.acts.stays : t.acts.leaves;
    return [{ at, kind: 'purchase' as const, what, details: renewsTo ?? '' }];
  });
  return [...bought, ...changed];
}

function ofGrant(grant: Customer['grants'][number]): Happening[] {
  const { productId, entitlement, note, grantedAt, endedAt, endReason } = grant;
  const row = {
    kind: 'grant',
    details: [productId, entitlement, note].filter(Boolean).join(' · '),
  } as const;
  return [
    { ...row, at: grantedAt, what: t.acts.granted },
    ...(endedAt === null || endReason === null
      ? []
      : [{ ...row, at: endedAt, what: t.acts[endReason] }]),
  ];
}

export const isExposure = ({ name }: Event): boolean => name === EXPOSURE;

export const othersOf = (
  events: readonly Event[],
  customer: Customer | null,
  experiments: readonly Experiment[],
): Happening[] => [
  ...events.filter(isExposure).map((event) => ofEvent(event, experiments)),
  ...(customer?.purchases.flatMap(ofPurchase) ?? []),
  ...(customer?.grants.flatMap(ofGrant) ?? []),
  ...(customer?.history ?? [])
    .filter(({ kind }) => kind === 'consent_rescinded')
    .map(({ at, sentence }) => ({ at, kind: 'purchase' as const, what: sentence, details: '' })),
];

export function happeningsOf(
  events: readonly Event[],
  customer: Customer | null,
  experiments: readonly Experiment[],
): Happening[] {
  const own = events.filter((event) => !isExposure(event));
  return [
    ...own.map((event) => ofEvent(event, experiments)),
    ...othersOf(events, customer, experiments),
  ].toSorted((a, b) => b.at.localeCompare(a.at));
}
