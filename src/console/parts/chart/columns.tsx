import { useId } from 'preact/hooks';
import { duration, exactNumber, rate as shownRate, roundRate } from '../../format.ts';
import { chart as t } from '../../texts/chart.ts';
import * as icons from '../icons.ts';
import { type ColumnBox, type ColumnsFrame, columnBoxes, columnsFrame } from './columns-frame.ts';
import { Hatch, YAxis } from './plot.tsx';
import { box, round } from './scale.ts';
import { ChartShell, type Place } from './shell.tsx';
import { slotOf } from './slots.ts';
import { cut, textWidth } from './text.ts';
import type { ColumnsProps, FunnelStep } from './types.ts';

const TICKS = [0, 0.25, 0.5, 0.75, 1];
const HEIGHT_PX = 340;
const LEAST_GAP_PX = 64;
const LEAST_BUTTON_PX = 24;

function Column({
  box: column,
  frame,
  hatchId,
}: {
  box: ColumnBox;
  frame: ColumnsFrame;
  hatchId: string;
}) {
  const { x, rate, before, low, high, people, isFirst, slot } = column;
  const { y, bar, between, bottom } = frame;
  const middle = round(x + bar / 2);
  const [top, from] = [y(rate), y(before)];
  const hasWhisker = !isFirst && low !== null && high !== null;
  const figure = isFirst ? exactNumber(people) : roundRate(rate);
  return (
    <g class={`paint-${slot}`}>
      {top > from && (
        <rect class="loss" {...box(x, from, bar, top - from)} fill={`url(#${hatchId})`} />
      )}
      <rect class="bar-full" {...box(x, top, bar, Math.max(0, bottom - top))} rx="2" />
      {hasWhisker && (
        <path
          class="whisker"
          d={`M${middle} ${round(y(low))}V${round(y(high))}M${middle - 4} ${round(y(high))}h8M${middle - 4} ${round(y(low))}h8`}
        />
      )}
      {textWidth(figure, 600) <= bar + between && (
        <text
          class="bar-figure"
          x={middle}
          y={round((hasWhisker ? y(high) : top) - 6)}
          text-anchor="middle"
        >
          {figure}
        </text>
      )}
    </g>
  );
}

type StepProps = { step: FunnelStep; index: number; frame: ColumnsFrame };

function StepWords({ step, index, frame }: StepProps) {
  const x = round(frame.starts[index] ?? 0);
  const second =
    index === 0 || step.rate === null
      ? t.stepPeople(step.people)
      : t.stepShare(step.people, shownRate(step.rate));
  const { lost } = step;
  const name = t.stepNumber(index + 1, step.name);
  const room = frame.pitch - 8;
  return (
    <g>
      <text class="step-title" x={x} y={frame.bottom + 22}>
        {cut(name, room, (text) => textWidth(text, 600, 13))}
        <title>{step.name}</title>
      </text>
      <text class="step-name" x={x} y={frame.bottom + 40}>
        {cut(second, room, (text) => textWidth(text, 400, 12))}
      </text>
      {index > 0 && (
        <text
          class={step.isBiggestLeak ? 'step-lost leak' : 'step-lost'}
          x={x}
          y={frame.bottom + 58}
        >
          {cut(step.isBiggestLeak ? t.biggestStop(lost) : t.stoppedBefore(lost), room, (text) =>
            textWidth(text, step.isBiggestLeak ? 600 : 400, 12),
          )}
        </text>
      )}
    </g>
  );
}

function TimePill({ seconds, x }: { seconds: number; x: number }) {
  const text = duration(seconds);
  const width = 23 + textWidth(text, 500) + 11;
  const left = round(x - width / 2);
  return (
    <g class="time-pill">
      <rect x={left} y="2" width={round(width)} height="20" rx="10" />
      <icons.time x={left + 8} y={6.5} size={11} />
      <text x={left + 23} y="16">
        {text}
      </text>
    </g>
  );
}

function wholeSteps({ steps }: ColumnsProps, { starts, bar, between, groups }: ColumnsFrame) {
  return steps.flatMap(({ people, rate, lost }, step): ButtonBox[] => {
    if (rate === null) return [];
    const before = step === 0 ? 1 : (steps[step - 1]?.rate ?? rate);
    const width = groups * (bar + between) - between;
    return [
      { ...{ step, people, rate, before, lost, width }, key: '', name: '', x: starts[step] ?? 0 },
    ];
  });
}

type ButtonBox = Omit<ColumnBox, 'slot' | 'isFirst' | 'low' | 'high'> & { width: number };

type Span = { top: number; bottom: number };
type ButtonsProps = { chart: ColumnsProps; boxes: readonly ColumnBox[]; frame: ColumnsFrame };

function Buttons({ chart, boxes, frame }: ButtonsProps) {
  const { steps, groups, onReached, onLost } = chart;
  const { y, bar, between, bottom } = frame;
  const isNarrow = groups.length > 1 && bar + between < LEAST_BUTTON_PX;
  const places = isNarrow
    ? wholeSteps(chart, frame)
    : boxes.map((box): ButtonBox => ({ ...box, width: bar }));
  const over = (text: string, { x, width }: ButtonBox, at: Span, onClick: () => void) => (
    <button
      type="button"
      class="over"
      title={text}
      aria-label={text}
      style={{
        left: `${round(x)}px`,
        width: `${round(width)}px`,
        top: `${round(at.top)}px`,
        height: `${round(at.bottom - at.top)}px`,
      }}
      onClick={onClick}
    />
  );
  return (
    <>
      {places.map((box) => {
        const name = steps[box.step]?.name ?? '';
        const group = groups.length > 1 ? box.name : '';
        const { people, lost } = box;
        const reached = group
          ? t.reached(group, name, people, shownRate(box.rate))
          : t.reachedStep(name, people);
        const stopped = group ? t.lost(group, name, lost) : t.lostBefore(name, lost);
        const top = Math.min(y(box.rate), bottom - LEAST_BUTTON_PX);
        const from = Math.min(y(box.before), top - LEAST_BUTTON_PX);
        return (
          <div key={`${box.step} ${box.key}`}>
            {onReached && over(reached, box, { top, bottom }, () => onReached(box.step, box.key))}
            {onLost &&
              lost > 0 &&
              over(stopped, box, { top: from, bottom: top }, () => onLost(box.step, box.key))}
          </div>
        );
      })}
    </>
  );
}

function Drawing({ chart, place }: { chart: ColumnsProps; place: Place }) {
  const id = `${useId()}-loss`;
  const frame = columnsFrame(place.width, {
    steps: chart.steps.length,
    groups: chart.groups.length,
  });
  const boxes = columnBoxes(chart.groups, frame, slotOf);
  return (
    <>
      <svg ref={place.svg} width={place.width} height={HEIGHT_PX} aria-hidden="true">
        <defs>
          <Hatch id={id} size={7} />
        </defs>
        <YAxis frame={frame} ticks={TICKS} show={roundRate} />
        {boxes.map((box) => (
          <Column key={`${box.step} ${box.key}`} box={box} frame={frame} hatchId={id} />
        ))}
        {chart.steps.map((step, index) => (
          <StepWords key={step.key} step={step} index={index} frame={frame} />
        ))}
        {chart.steps.map(({ key, medianSeconds }, index) =>
          index > 0 && medianSeconds !== null && frame.gap >= LEAST_GAP_PX ? (
            <TimePill key={key} seconds={medianSeconds} x={frame.gapMiddle(index)} />
          ) : null,
        )}
      </svg>
      <Buttons chart={chart} boxes={boxes} frame={frame} />
    </>
  );
}

export function Columns(chart: ColumnsProps) {
  const { steps, groups } = chart;
  return (
    <ChartShell
      title={chart.title}
      height={HEIGHT_PX}
      csvName={chart.csvName}
      names={
        groups.length > 1
          ? groups.map(({ name, slot }, index) => ({ name, slot: slot ?? slotOf(index) }))
          : []
      }
      table={{
        head: t.step,
        rows: steps.map(({ key, name }) => ({ key, name })),
        columns: groups.flatMap(({ name, steps: own }) => [
          {
            label: `${name}: ${t.people}`,
            values: own.map(({ people }) => people),
            show: exactNumber,
          },
          { label: name, values: own.map(({ rate }) => rate), show: shownRate },
          { label: t.low(name), values: own.map(({ low }) => low), show: shownRate },
          { label: t.high(name), values: own.map(({ high }) => high), show: shownRate },
        ]),
      }}
    >
      {(place) => <Drawing chart={chart} place={place} />}
    </ChartShell>
  );
}
