import { api } from '../state/api.ts';
import { contextWords } from '../state/context-words.ts';
import { VERSION } from '../state/filter-rules.ts';
import { type Facts, paymentOf } from '../state/payment.ts';
import { valueLabel } from '../state/sent-values.ts';
import { useApi } from '../state/use-api.ts';
import { saving as t } from '../texts/saving.ts';
import type { Column } from './table.tsx';

type Listed = { personId: string };
export type WithFacts<T extends Listed> = T & { facts?: Facts | undefined };

const AT_ONCE = 250;

function joined<T extends Listed>(rows: readonly T[], known: readonly Facts[]): WithFacts<T>[] {
  const facts = new Map(known.map((one) => [one.personId, one]));
  return rows.map((row) => ({ ...row, facts: facts.get(row.personId) }));
}

/** Of a page of a list, once they are there. */
export function useFacts<T extends Listed>(appId: string, rows: readonly T[], isWanted = true) {
  const personIds = rows.map(({ personId }) => personId);
  const enabled = isWanted && rows.length > 0;
  const asked = useApi(api.describePeople, { id: appId, body: { personIds } }, { enabled });
  return joined(rows, asked.value.data?.people ?? []);
}

export async function readFacts<T extends Listed>(id: string, rows: readonly T[]) {
  const all: Facts[] = [];
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const personIds = rows.slice(from, from + AT_ONCE).map(({ personId }) => personId);
    all.push(...(await api.describePeople({ id, body: { personIds } })).people);
  }
  return joined(rows, all);
}

export const paymentColumn: Column<WithFacts<Listed>> = {
  label: t.payment,
  show: ({ facts }) => {
    if (!facts) return <span class="skeleton payment-skeleton" />;
    const { text, tone } = paymentOf(facts.state);
    return <span class={tone ? `chip ${tone}` : 'quiet'}>{text}</span>;
  },
  plain: ({ facts }) => (facts ? paymentOf(facts.state).text : null),
};

const country: Column<WithFacts<Listed>> = {
  label: t.country,
  show: ({ facts }) => facts?.country && valueLabel('country', facts.country),
};
const lastSeen: Column<WithFacts<Listed>> = {
  label: t.lastSeen,
  at: ({ facts }) => facts?.lastEventAt ?? null,
  isAgo: true,
};

export const SHOWN_FACTS = [
  {
    label: t.version,
    show: ({ facts }) => contextWords(facts ?? {}, ['platform', VERSION]).join(' '),
  },
  country,
  lastSeen,
  paymentColumn,
] satisfies readonly Column<WithFacts<Listed>>[];

export const SAVED_FACTS = [
  { label: t.platform, show: ({ facts }) => facts?.platform },
  { label: t.version, show: ({ facts }) => facts?.appVersion },
  country,
  { label: t.firstSeen, at: ({ facts }) => facts?.firstEventAt ?? null },
  lastSeen,
  { label: t.product, show: ({ facts }) => facts?.productId },
  paymentColumn,
] satisfies readonly Column<WithFacts<Listed>>[];
