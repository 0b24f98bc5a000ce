import type { ComponentChildren } from 'preact';
import { signedMoney } from '../../format.ts';
import { MarkIcon } from '../../parts/chart/index.ts';
import { useMarks } from '../../parts/chart/marks.ts';
import * as icons from '../../parts/icons.ts';
import { personPath } from '../../parts/person-link.tsx';
import { ErrorNotice, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { addDays, dayOf } from '../../state/days.ts';
import { useApi } from '../../state/use-api.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { type Since, sinceYesterday, type Told } from './since.ts';

const t = todayTexts.since;

type Line = {
  key: string;
  icon: ComponentChildren;
  text: ComponentChildren;
  amount?: string | undefined;
  note?: string | undefined;
};

type Amounts = Since['started']['amounts'];

/** More currencies than these are only counted. */
const MOST_CURRENCIES = 2;

function amountOf(amounts: Amounts, sign: 1 | -1 = 1): Pick<Line, 'amount' | 'note'> {
  if (amounts.length > MOST_CURRENCIES) return { note: t.currencies(amounts.length) };
  const each = amounts.map(({ amountMinor, currency }) =>
    signedMoney(sign * amountMinor, currency),
  );
  return { amount: each.join(' ') };
}

const nameOf = (productId: string): string => productId.split('.').at(-1) ?? productId;

function toldLines(
  told: Since['refunds'],
  each: (one: Told) => Line,
  all: (several: Exclude<Since['refunds'], readonly Told[]>) => Line,
): Line[] {
  return 'count' in told ? [all(told)] : told.map(each);
}

function moneyLines(appId: string, since: Since, currency: string): Line[] {
  const { started, returned, ended, recovered } = since;
  const mrr = (minor: number) => (minor === 0 ? undefined : signedMoney(minor, currency));
  const link = ({ customerId, productId }: Told, text: (product: string) => string) => (
    <a href={personPath(appId, customerId)} title={productId}>
      {text(nameOf(productId))}
    </a>
  );
  const counted = (count: number, line: Line): Line[] => (count > 0 ? [line] : []);
  const refund = { icon: <icons.refunded class="small bad" /> };
  const problem = { icon: <icons.problem class="small warn" /> };
  return [
    ...counted(started.subscribers + started.trials, {
      key: 'started',
      icon: <icons.added class="small good" />,
      text: t.started(started.subscribers, started.trials),
      ...amountOf(started.amounts),
    }),
    ...counted(since.converted, {
      key: 'converted',
      icon: <icons.added class="small good" />,
      text: t.converted(since.converted),
    }),
    ...counted(returned.count, {
      key: 'returned',
      icon: <icons.added class="small good" />,
      text: t.returned(returned.count),
      amount: mrr(returned.mrrMinor),
    }),
    ...toldLines(
      since.refunds,
      (one) => ({
        key: `refund ${one.key}`,
        ...refund,
        text: link(one, t.refundOf),
        ...amountOf(one.amounts, -1),
      }),
      ({ count, amounts }) => ({
        key: 'refunds',
        ...refund,
        text: t.refunds(count),
        ...amountOf(amounts, -1),
      }),
    ),
    ...toldLines(
      since.failures,
      (one) => ({
        key: `failure ${one.key}`,
        ...problem,
        text: link(one, t.problemOf),
        note: one.isInGrace ? t.isInGrace : t.isInRetry,
      }),
      ({ count, inGrace }) => ({
        key: 'failures',
        ...problem,
        text: t.billing(count),
        note: inGrace > 0 ? t.inGrace(inGrace) : t.isInRetry,
      }),
    ),
    ...counted(ended.count, {
      key: 'ended',
      icon: <icons.left class="small" />,
      text: t.ended(ended.count),
      amount: mrr(-ended.mrrMinor),
    }),
    ...counted(recovered, {
      key: 'recovered',
      icon: <icons.check class="small good" />,
      text: t.recovered(recovered),
    }),
  ];
}

type Props = { appId: string; today: string; enabled: boolean };

export function SinceYesterday({ appId, today, enabled }: Props) {
  // Subscribers are counted by days of UTC.
  const yesterday = addDays(dayOf(Date.now(), 'UTC'), -1);
  const revenue = useApi(api.getPurchasesOverview, { id: appId, query: { days: 3 } }, { enabled });
  const query = { since: `${yesterday}T00:00:00Z` };
  const recent = useApi(api.listRecentPurchases, { id: appId, query }, { enabled });
  const { drawn } = useMarks(appId, { from: addDays(today, -1), to: today }, enabled);
  const failed = [revenue, recent].find(({ value }) => value.error && !value.data);
  if (failed?.value.error) {
    return <ErrorNotice error={failed.value.error} refetch={failed.refetch} />;
  }
  const { data } = revenue.value;
  const { data: changes } = recent.value;
  if (!data || !changes) return <Skeleton count={2} />;
  const lines: Line[] = [
    ...drawn.map(({ key, kind, label, text = label }) => ({
      key: `mark ${key}`,
      icon: <MarkIcon kind={kind} />,
      text,
    })),
    ...moneyLines(appId, sinceYesterday(changes, data), data.currency),
  ];
  if (lines.length === 0) return <p class="quiet">{t.nothing}</p>;
  return (
    <ul class="since">
      {lines.map(({ key, icon, text, amount, note }) => (
        <li key={key}>
          {icon}
          <span class="grow">{text}</span>
          {amount && <b>{amount}</b>}
          {note && <span class="quiet">{note}</span>}
        </li>
      ))}
    </ul>
  );
}
