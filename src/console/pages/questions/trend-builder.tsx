import type { EventSelection } from '../../../../clients/api/src/index.ts';
import { Chip } from '../../parts/chips/chip.tsx';
import { BreakdownChip, ChoiceChip } from '../../parts/chips/index.ts';
import { picking } from '../../parts/chips/opened.tsx';
import { WithFault } from '../../parts/selection/where.tsx';
import {
  type By,
  breakdownOf,
  brokenDownBy,
  bysOf,
  chosenBy,
  fieldOf,
  isOfSeries,
  MAX_SERIES,
  type Measure,
  OF_PEOPLE,
  type TrendAsk,
} from '../../state/ask.ts';
import { fieldWord } from '../../state/condition-words.ts';
import { isPropertyField } from '../../state/conditions.ts';
import { sentBy } from '../../state/sent.ts';
import { questionBuilder as t } from '../../texts/question-builder.ts';
import { questions } from '../../texts/questions.ts';
import { AddButton, type BuilderProps, Row, SelectionRow } from './rows.tsx';

const COUNTED = [
  'people',
  'events',
  'eventsPerPerson',
  'sessions',
  'sessionsPerPerson',
  'sessionLength',
  'property',
] as const;
const STATISTICS = ['sum', 'mean', 'median', 'p90', 'minimum', 'maximum'] as const;
const PERS = ['event', 'person'] as const;

const MEASURES = COUNTED.map((value) => ({
  value,
  label: questions.measures[value],
  ...(value === 'sessionLength' || value === 'property' ? { detail: t.measureDetails[value] } : {}),
}));

const measureOf = (of: (typeof COUNTED)[number]): Measure =>
  of === 'property' ? { of, property: '', statistic: 'median', per: 'event' } : { of };

type TrendProps = BuilderProps<TrendAsk>;

function NumberChips({ ask, onChange, sent }: TrendProps) {
  const { measure } = ask;
  if (measure.of !== 'property') return null;
  const set = (change: Partial<typeof measure>) =>
    onChange({ ...ask, measure: { ...measure, ...change } });
  const names = ask.series.flatMap(({ events = [] }) => events);
  return (
    <>
      <ChoiceChip
        name={t.statistic}
        options={STATISTICS.map((value) => ({ value, label: questions.statistics[value] }))}
        value={measure.statistic}
        onChange={(statistic) => set({ statistic })}
      />
      <span class="ask-word">{questions.of}</span>
      <Chip name={t.ofProperty} value={measure.property || t.chooseProperty}>
        {picking(
          ({ PropertyPicker }, pick) => (
            <PropertyPicker sent={sentBy(sent.appId, { ...sent, names })} onPick={pick} />
          ),
          (property: string) => set({ property }),
        )}
      </Chip>
      <ChoiceChip
        name={t.per}
        options={PERS.map((value) => ({ value, label: questions.pers[value] }))}
        value={measure.per}
        onChange={(per) => set({ per })}
      />
    </>
  );
}

const RANGES = ['each', 'ranges'] as const;

function Breakdowns(props: TrendProps & { disabledWhy: string | undefined }) {
  const { ask, onChange, disabledWhy } = props;
  const bys = disabledWhy ? [] : bysOf(ask.breakdown);
  const names = ask.series.flatMap(({ events = [] }) => events);
  const sent = sentBy(props.sent.appId, { ...props.sent, names });
  const set = (index: number, by: By | undefined) => {
    const next = breakdownOf(bys.toSpliced(index, 1, ...(by === undefined ? [] : [by])));
    onChange(brokenDownBy(ask, next));
  };
  const chip = (by: By | undefined, index: number) => (
    <WithFault
      key={index}
      fault={props.faultOf(0)(bys.length > 1 ? `breakdown[${index}]` : 'breakdown')}
    >
      <BreakdownChip
        sent={sent}
        extra={OF_PEOPLE}
        value={chosenBy(by)}
        disabledWhy={disabledWhy}
        onChange={(dimension) => set(index, dimension)}
      />
    </WithFault>
  );
  return (
    <>
      {bys.map((by, index) => {
        const field = fieldOf(by);
        return (
          <span class="joined" key={field}>
            {chip(by, index)}
            {isPropertyField(field) && (
              <ChoiceChip
                name={t.rangesName}
                options={RANGES.map((value) => ({ value, label: t.ranges[value] }))}
                value={typeof by === 'string' ? 'each' : 'ranges'}
                onChange={(next) =>
                  set(index, next === 'each' ? field : { property: fieldWord(field) })
                }
              />
            )}
          </span>
        );
      })}
      {bys.length < 2 && chip(undefined, bys.length)}
    </>
  );
}

export function TrendBuilder(props: TrendProps) {
  const { ask, onChange, sent, faultOf } = props;
  const { series, measure } = ask;
  const isShared = isOfSeries(ask);
  const setSeries = (next: EventSelection[]) => onChange({ ...ask, series: next });
  const why = isShared ? (series.length > 1 ? t.severalSeries : undefined) : t.onlyCounts;
  return (
    <>
      <Row media={<span class="ask-lead">{t.show}</span>}>
        <ChoiceChip
          name={t.measure}
          options={MEASURES}
          value={measure.of}
          onChange={(of) => onChange({ ...ask, measure: measureOf(of) })}
        />
        <NumberChips {...props} />
      </Row>
      {series.map((selection, index) => (
        <SelectionRow
          key={index}
          lead={
            <span class="ask-lead">
              {series.length > 1 && <span class={`swatch paint-${index + 1}`} />}
              {questions.of}
            </span>
          }
          {...{ sent, selection }}
          place={isShared ? `series[${index}]` : 'selection'}
          faultOf={faultOf(isShared ? 0 : index)}
          onChange={(next) => setSeries(series.with(index, next))}
          onRemove={series.length > 1 ? () => setSeries(series.toSpliced(index, 1)) : undefined}
          removeName={t.removeSeries(index + 1)}
        />
      ))}
      <Row media={<span class="ask-lead" />}>
        <AddButton
          text={t.addSeries}
          name={t.addSeriesLong}
          disabledWhy={series.length >= MAX_SERIES ? t.severalSeries : undefined}
          onClick={() => setSeries([...series, series.at(-1) ?? {}])}
        />
        <Breakdowns {...props} disabledWhy={why} />
      </Row>
    </>
  );
}
