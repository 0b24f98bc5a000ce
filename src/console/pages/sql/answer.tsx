import type { SqlAnswer } from '../../../../clients/api/src/index.ts';
import { exactNumber, when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { namedPlaces, TimeChart } from '../../parts/chart/index.ts';
import { slotOf } from '../../parts/chart/slots.ts';
import * as icons from '../../parts/icons.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { drawnOf } from '../../state/sql-chart.ts';
import { sql as t } from '../../texts/sql.ts';

const SHOWN_ROWS = 500;
const FIGURES = { show: exactNumber };

type Row = { key: string; cells: readonly unknown[] };

function toCell(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  return JSON.stringify(value);
}

function columnsOf({ columns, rows }: SqlAnswer): Column<Row>[] {
  return columns.map(({ name }, index) => {
    const of = ({ cells }: Row) => toCell(cells[index]);
    const isNumber = rows.length > 0 && rows.every((row) => typeof row[index] === 'number');
    return { label: name, show: of, plain: of, sort: of, number: isNumber, narrow: index < 4 };
  });
}

function Chart({ answer }: { answer: SqlAnswer }) {
  const drawn = drawnOf(answer);
  if (drawn === null) return null;
  return (
    <Card title={t.drawn}>
      <TimeChart
        title={t.drawn}
        csvName="sql-chart"
        kind={drawn.kind}
        {...namedPlaces(drawn.head, drawn.names)}
        series={drawn.series.map(({ name, values }, index) => ({
          key: name,
          ...{ name, values, slot: slotOf(index) },
        }))}
        format={FIGURES}
      />
    </Card>
  );
}

export function Answered({ answer }: { answer: SqlAnswer }) {
  const { rows, cutBy, durationMs, dataThrough } = answer;
  const all = rows.map((cells, index) => ({ key: String(index), cells }));
  const said = [
    t.rows(rows.length),
    t.took((durationMs / 1_000).toFixed(1)),
    ...(dataThrough === null ? [] : [t.through(when(dataThrough))]),
  ];
  return (
    <>
      <Chart answer={answer} />
      <Card title={t.answer} sub={said.join(' · ')} flush>
        {cutBy && <p class="notice warn">{t.cut[cutBy]}</p>}
        {rows.length > SHOWN_ROWS && <p class="notice">{t.shown(SHOWN_ROWS)}</p>}
        <Table
          empty={{ icon: icons.filter, title: t.nothing, text: t.nothingWhy }}
          caption={t.answer}
          rows={all.slice(0, SHOWN_ROWS)}
          csvRows={all}
          keyOf={({ key }) => key}
          csvName="answer"
          dense
          columns={columnsOf(answer)}
        />
      </Card>
    </>
  );
}
