import { chart as t } from '../../texts/chart.ts';
import { barPlaces } from './places.ts';
import { box, linear, round, sharp } from './scale.ts';
import { ChartShell, type Place } from './shell.tsx';
import { spansOf } from './spans.ts';
import { cut, textWidth } from './text.ts';
import type { Slot, WaterfallProps, WaterfallStep } from './types.ts';

const HEIGHT_PX = 258;
const TOP_PX = 31;
const BELOW_PX = 40;
const WIDEST_PX = 44;
const BAR_SHARE = 0.675;
const LEAST_PX = 2;

function slotOf({ amount, isTotal, slot }: WaterfallStep, index: number): Slot {
  if (slot) return slot;
  if (isTotal) return index === 0 ? 'other' : 1;
  return amount === 0 ? 'other' : amount > 0 ? 3 : 2;
}

const signed = (text: string, { amount, isTotal }: WaterfallStep) =>
  isTotal || amount <= 0 ? text : `+${text}`;

function Drawing({ chart, place }: { chart: WaterfallProps; place: Place }) {
  const { steps, format } = chart;
  const { width } = place;
  const spans = spansOf(steps);
  const ends = spans.flatMap(({ from, to }) => [from, to]);
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const bottom = HEIGHT_PX - BELOW_PX;
  const y = linear([least, most || 1], [bottom, TOP_PX]);
  const { xs, step: pitch } = barPlaces(steps.length, { left: 0, right: width });
  const bar = Math.min(WIDEST_PX, pitch * BAR_SHARE);
  return (
    <svg ref={place.svg} width={width} height={HEIGHT_PX} aria-hidden="true">
      <line class="base" x1="0" x2={width} y1={sharp(y(0))} y2={sharp(y(0))} />
      {steps.map((step, index) => {
        const { from, to } = spans[index] ?? { from: 0, to: 0 };
        const x = xs[index] ?? 0;
        const [upper, lower] = [y(Math.max(from, to)), y(Math.min(from, to))];
        const next = xs[index + 1];
        const room = pitch - 2;
        return (
          <g key={step.key} class={`paint-${slotOf(step, index)}`}>
            <rect
              class="bar-full"
              {...box(x - bar / 2, upper, bar, Math.max(LEAST_PX, lower - upper))}
              rx="2"
            />
            {next !== undefined && (
              <line
                class="step-line"
                x1={round(x + bar / 2)}
                x2={round(next - bar / 2)}
                y1={round(y(to))}
                y2={round(y(to))}
              />
            )}
            <text class="bar-figure" x={round(x)} y={round(upper - 6)} text-anchor="middle">
              {signed(format.show(step.amount), step)}
            </text>
            <text class="step-name" x={round(x)} y={bottom + 18} text-anchor="middle">
              {cut(step.name, room, (text) => textWidth(text, 400, 12))}
              <title>{step.name}</title>
            </text>
            <text x={round(x)} y={bottom + 34} text-anchor="middle">
              {step.note}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

export function Waterfall(chart: WaterfallProps) {
  const { steps, format } = chart;
  return (
    <ChartShell
      title={chart.title}
      height={HEIGHT_PX}
      csvName={chart.csvName}
      table={{
        head: t.step,
        rows: steps.map(({ key, name }) => ({ key, name })),
        columns: [
          { label: t.amount, values: steps.map(({ amount }) => amount), show: format.show },
        ],
        notes: { label: t.count, values: steps.map(({ note }) => note ?? '') },
      }}
    >
      {(place) => <Drawing chart={chart} place={place} />}
    </ChartShell>
  );
}
