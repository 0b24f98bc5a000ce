import type { EventSelection } from '../../../../clients/api/src/index.ts';
import { Chip } from '../../parts/chips/chip.tsx';
import { BreakdownChip, ChoiceChip } from '../../parts/chips.tsx';
import { Opened } from '../../parts/chips/opened.tsx';
import { isOfSeries, MAX_SERIES, type Measure, type TrendAsk } from '../../state/ask.ts';
import { dimensionOf } from '../../state/filter-rules.ts';
import { sentBy } from '../../state/sent.ts';
import { questions as t } from '../../texts/questions.ts';
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
  label: t.measures[value],
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
        options={STATISTICS.map((value) => ({ value, label: t.statistics[value] }))}
        value={measure.statistic}
        onChange={(statistic) => set({ statistic })}
      />
      <span class="ask-word">{t.of}</span>
      <Chip name={t.ofProperty} value={measure.property || t.chooseProperty}>
        {(close) => (
          <Opened>
            {({ PropertyPicker }) => (
              <PropertyPicker
                sent={sentBy(sent.appId, { ...sent, names })}
                onPick={(property) => {
                  close();
                  set({ property });
                }}
              />
            )}
          </Opened>
        )}
      </Chip>
      <ChoiceChip
        name={t.per}
        options={PERS.map((value) => ({ value, label: t.pers[value] }))}
        value={measure.per}
        onChange={(per) => set({ per })}
      />
    </>
  );
}

/** What is measured of which events, a series each, and by what it is broken down. */
export function TrendBuilder(props: TrendProps) {
  const { ask, onChange, sent, faultOf } = props;
  const { series, measure, breakdown } = ask;
  const isShared = isOfSeries(ask);
  const setSeries = (next: EventSelection[]) => onChange({ ...ask, series: next });
  const why = isShared ? (series.length > 1 ? t.severalSeries : undefined) : t.onlyCounts;
  const names = series.flatMap(({ events = [] }) => events);
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
              {t.of}
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
        <BreakdownChip
          sent={sentBy(sent.appId, { ...sent, names })}
          value={why ? undefined : dimensionOf(breakdown ?? '')}
          disabledWhy={why}
          onChange={(by) => {
            const { breakdown: _, ...others } = ask;
            onChange({ ...others, ...(by && { breakdown: by }) });
          }}
        />
      </Row>
    </>
  );
}
