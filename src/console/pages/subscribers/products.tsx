import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import { STORE_FACTS } from '../../../shared/stores.ts';
import { exactNumber, money, rate, roundRate, signedNumber, wholeUnits } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Meter } from '../../parts/chart/index.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

const KINDS = ['product', 'country', 'store', 'duration'] as const;
type Kind = (typeof KINDS)[number];

type Row = {
  name: string;
  active: number;
  mrrMinor: number;
  trials: number;
  came: number;
  left: number;
};

type PartKind = Exclude<Kind, 'duration'>;

function partsOf({ byProduct, byCountry, byStore = [] }: Overview, kind: PartKind) {
  if (kind === 'product') return byProduct.map((part) => ({ ...part, name: part.productId }));
  if (kind === 'country') return byCountry.map((part) => ({ ...part, name: part.country }));
  return byStore.map((part) => ({ ...part, name: STORE_FACTS[part.store].label }));
}

function rowsOf(overview: Overview, kind: PartKind): Row[] {
  const parts = partsOf(overview, kind);
  return parts.map(({ name, active, mrrMinor, trials, subscriptions }) => ({
    name,
    active,
    mrrMinor,
    trials,
    came: subscriptions.new + subscriptions.returned,
    left: subscriptions.churned,
  }));
}

/** The dotted beginning that all ids share is left out; one id alone keeps its last word. */
function prefixOf(names: readonly string[]): string {
  const [first = ''] = names;
  let end = first.lastIndexOf('.') + 1;
  while (end > 0 && !names.every((name) => name.startsWith(first.slice(0, end)))) {
    end = first.lastIndexOf('.', end - 2) + 1;
  }
  return first.slice(0, end);
}

const signed = (count: number, tone: 'good' | 'bad') =>
  count === 0 ? '0' : <b class={tone}>{signedNumber(tone === 'good' ? count : -count)}</b>;

function columnsOf(kind: PartKind, currency: string, rows: readonly Row[]): Column<Row>[] {
  const most = Math.max(1, ...rows.map(({ mrrMinor }) => mrrMinor));
  const prefix = prefixOf(rows.map(({ name }) => name));
  return [
    {
      label: t.by[kind],
      show: ({ name }) => <b title={name}>{name.slice(prefix.length)}</b>,
      plain: ({ name }) => name,
      sort: true,
      narrow: true,
    },
    { label: t.active, figure: ({ active }) => active, sort: true, narrow: true },
    {
      label: t.mrr,
      number: true,
      show: ({ mrrMinor }) => <b>{money(mrrMinor, currency)}</b>,
      plain: ({ mrrMinor }) => wholeUnits(mrrMinor, currency),
      sort: ({ mrrMinor }) => mrrMinor,
      narrow: true,
    },
    {
      label: '',
      show: ({ mrrMinor }) => <Meter share={mrrMinor / most} paint={3} width={64} />,
    },
    { label: t.trials, figure: ({ trials }) => trials, sort: true },
    {
      label: t.steps.new,
      figure: ({ came }) => came,
      format: (came) => signed(came, 'good'),
      sort: true,
    },
    {
      label: t.steps.churned,
      figure: ({ left }) => left,
      format: (left) => signed(left, 'bad'),
      sort: true,
      narrow: true,
    },
  ];
}

type ChurnRow = Overview['churn'][number];

/** Never blended. */
const CHURN: readonly Column<ChurnRow>[] = [
  { label: t.by.duration, show: ({ duration }) => duration, narrow: true },
  { label: t.atStart, figure: ({ activeAtStart }) => activeAtStart, narrow: true },
  { label: t.steps.churned, figure: ({ churned }) => churned, narrow: true },
  { label: t.voluntary, figure: ({ voluntary }) => voluntary },
  { label: t.billing, figure: ({ billing }) => billing },
  { label: t.refunded, figure: ({ refund }) => refund },
  { label: t.other, figure: ({ other }) => other },
  { label: t.steps.returned, figure: ({ returned }) => returned },
  {
    label: t.rate,
    number: true,
    narrow: true,
    show: ({ rate: share, activeAtStart }) =>
      share === null ? (
        <span class="quiet">{t.fewActive(activeAtStart)}</span>
      ) : (
        <b>{rate(share)}</b>
      ),
    plain: ({ rate: share }) => share,
  },
  { label: t.netRate, figure: ({ netRate }) => netRate, format: rate },
];

function Known({ overview }: { overview: Overview }) {
  const { reported } = overview;
  if (!reported || reported.paid === 0) return null;
  const share = reported.known / reported.paid;
  return (
    <div class="known">
      <p class="row">
        <span class="grow">{t.known(reported.paid)}</span>
        <b>{exactNumber(reported.known)}</b>
        <span class="quiet">{roundRate(share)}</span>
      </p>
      <Meter share={share} paint={1} label={t.known(reported.paid)} />
    </div>
  );
}

export function Products({ overview }: { overview: Overview }) {
  const [text, choose] = useSetting('by', 'product');
  const kinds = KINDS.filter((one) => one !== 'store' || overview.byStore);
  const kind: Kind = kinds.find((one) => one === text) ?? 'product';
  const rows = kind === 'duration' ? [] : rowsOf(overview, kind);
  return (
    <Card
      title={t.parts[kind]}
      flush
      actions={
        <Segmented
          label={t.breakdown}
          compact
          options={kinds.map((one) => [one, t.parts[one]] as const)}
          value={kind}
          onChange={choose}
        />
      }
    >
      {kind === 'duration' ? (
        <Table
          caption={t.churnBy}
          rows={overview.churn}
          columns={CHURN}
          keyOf={({ duration }) => duration}
          csvName="churn"
        />
      ) : (
        <Table
          key={kind}
          caption={t.parts[kind]}
          rows={rows}
          columns={columnsOf(kind, overview.currency, rows)}
          keyOf={({ name }) => name}
          sort={{ column: t.mrr, isDescending: true }}
          csvName={`subscribers-by-${kind}`}
        />
      )}
      <Known overview={overview} />
    </Card>
  );
}
