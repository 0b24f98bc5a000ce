import { exactNumber, when, whenExactly } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { namedPlaces, TimeChart } from '../../parts/chart/index.ts';
import { Facts } from '../../parts/facts.tsx';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { logs as t } from '../../texts/logs.ts';
import type { Entry } from './entry.ts';
import type { Filters } from './filters.tsx';
import { histogramOf, LEVELS, TONES, toneOf } from './levels.ts';

const BARS = 60;
const HISTOGRAM_PX = 110;
const CLASSES = { bad: 'bad', warn: 'warn', other: 'quiet' } as const;

function Level({ level }: { level: string }) {
  const known = LEVELS.find((one) => one === level);
  return <span class={`level ${CLASSES[toneOf(level)]}`}>{known ? t.levels[known] : level}</span>;
}

export function Histogram({ entries, filters }: { entries: readonly Entry[]; filters: Filters }) {
  const toMs = filters.before ? Number(filters.before) : Date.now();
  const oldest = entries.at(-1);
  const fromMs = Math.max(
    Date.now() - Number(filters.range),
    oldest ? Date.parse(oldest.timestamp) : 0,
  );
  const count = (tone: string) => entries.filter(({ level }) => toneOf(level) === tone).length;
  const bars = histogramOf(entries, { fromMs, toMs }, BARS);
  const stepMs = (toMs - fromMs) / BARS;
  return (
    <TimeChart
      kind="bar"
      hasLegend
      title={t.drawn(entries.length, count('bad'), count('warn'))}
      csvName="logs-over-time"
      height={HISTOGRAM_PX}
      {...namedPlaces(
        t.time,
        bars.map((_, index) => when(new Date(fromMs + index * stepMs).toISOString())),
      )}
      series={TONES.map((tone, index) => ({
        key: tone,
        name: t.tones[tone],
        slot: tone,
        values: bars.map((counts) => counts[index] ?? 0),
      }))}
      format={{ show: exactNumber, isWhole: true }}
    />
  );
}

export function Entries(props: {
  entries: readonly Entry[];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  return (
    <Table
      caption={t.title}
      rows={props.entries}
      keyOf={({ id }) => id}
      csvName="logs"
      dense
      onRow={({ id }) => props.onChoose(id === props.chosen ? '' : id)}
      isChosen={({ id }) => id === props.chosen}
      columns={[
        {
          label: t.time,
          show: ({ timestamp }) => <time dateTime={timestamp}>{whenExactly(timestamp)}</time>,
          plain: ({ timestamp }) => timestamp,
          narrow: true,
        },
        {
          label: t.level,
          show: ({ level }) => <Level level={level} />,
          plain: ({ level }) => level,
          narrow: true,
        },
        { label: t.service, show: ({ service }) => service },
        { label: t.message, show: ({ message }) => message, narrow: true },
        {
          label: t.fields,
          show: ({ fields }) => fields && <icons.more class="small" />,
          plain: ({ fields }) => fields,
        },
      ]}
    />
  );
}

export const OneEntry = ({ entry, onClose }: { entry: Entry; onClose: () => void }) => (
  <Card
    title={t.entry}
    class="log-entry"
    actions={<Button kind="ghost" compact icon={icons.close} label={t.close} onClick={onClose} />}
  >
    <p>
      <strong>{entry.message}</strong>
    </p>
    <Facts
      rows={[
        [t.time, whenExactly(entry.timestamp)],
        [t.level, <Level key="level" level={entry.level} />],
        [t.service, entry.service || null],
      ]}
    />
    {entry.fields ? <pre class="wrapped">{entry.fields}</pre> : <p class="quiet">{t.noFields}</p>}
  </Card>
);

export function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty icon={icons.filter} title={t.none} text={t.noneWhy} />;
  const body = '{"level":"warn","message":"Report took 4 s"}';
  return (
    <Empty
      icon={icons.logs}
      title={t.noneEver}
      text={t.noneEverWhy}
      code={`curl ${location.origin}/v1/logs -H 'x-api-key: svk_…' -H 'content-type: application/json' -d '${body}'`}
    />
  );
}
