import { useSignal } from '@preact/signals';
import { when } from '../../format.ts';
import { Choice } from '../../parts/form.tsx';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { people as t } from '../../texts/people.ts';
import { type Happening, happeningsOf } from './happenings.ts';
import { type Customer, type Person, useExperimentNames } from './queries.ts';

const PAGE = 200;
const KINDS = [
  ['all', t.kinds.all],
  ['event', t.kinds.event],
  ['purchase', t.kinds.purchase],
  ['arm', t.kinds.arm],
  ['grant', t.kinds.grant],
] as const;

function Rows({ rows }: { rows: readonly Happening[] }) {
  const shown = useSignal(PAGE);
  const left = rows.length - shown.value;
  const keyed = rows.map((row, index) => ({ ...row, index }));
  if (rows.length === 0) return <p>{t.nothing}</p>;
  return (
    <>
      <Table
        caption={t.timeline}
        rows={keyed.slice(0, shown.value)}
        csvRows={keyed}
        keyOf={({ index }) => String(rows.length - index)}
        csvName="person"
        columns={[
          {
            label: t.time,
            show: ({ at }) => <span class="nowrap">{when(at)}</span>,
            plain: ({ at }) => at,
          },
          {
            label: t.aKind,
            show: ({ kind }) => <span class="nowrap">{t.kind[kind]}</span>,
            plain: ({ kind }) => kind,
          },
          {
            label: t.what,
            show: ({ what, href }) => (href ? <a href={href}>{what}</a> : <strong>{what}</strong>),
            plain: ({ what }) => what,
          },
          {
            label: t.details,
            show: ({ details }) => details && <code>{details}</code>,
            plain: ({ details }) => details,
          },
        ]}
      />
      {left > 0 && (
        <button
          type="button"
          onClick={() => {
            shown.value += PAGE;
          }}
        >
          {t.moreRows(left)}
        </button>
      )}
    </>
  );
}

/** One timeline of events, purchases, arms and grants. */
export function Timeline(props: { appId: string; person: Person; customer: Customer | null }) {
  const { appId, person, customer } = props;
  const experiments = useExperimentNames(appId);
  const [chosen, choose] = useSetting('show', 'all');
  const kind = KINDS.find(([value]) => value === chosen)?.[0] ?? 'all';
  const all = happeningsOf(person.events, customer, experiments);
  return (
    <section>
      <div class="row">
        <h2>{t.timeline}</h2>
        <Choice
          label={t.show}
          name="show"
          hideLabel
          options={KINDS}
          value={kind}
          onChange={choose}
        />
      </div>
      {!person.isWhole && <p class="notice warning">{t.truncated(person.events.length)}</p>}
      <Rows key={kind} rows={kind === 'all' ? all : all.filter((row) => row.kind === kind)} />
      <p class="quiet">
        {t.lines(all.length)} {t.noWebhooks}
      </p>
    </section>
  );
}
