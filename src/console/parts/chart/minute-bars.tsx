import { useId } from 'preact/hooks';
import { exactNumber, locale } from '../../format.ts';
import { chart as t } from '../../texts/chart.ts';
import { thinned } from './labels.ts';
import { barPlaces } from './places.ts';
import { Hatch } from './plot.tsx';
import { linear, round, sharp } from './scale.ts';
import { ChartShell, type Place } from './shell.tsx';
import { textWidth } from './text.ts';
import type { MinuteBarsProps } from './types.ts';

const HEIGHT_PX = 72;
const TOP_PX = 14;
const BELOW_PX = 18;
const TICK_MINUTES = 5;
const TICK_GAP_PX = 12;
const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const minuteOf = (at: string) => clock.format(new Date(at));

function Drawing({ bars, place }: { bars: MinuteBarsProps; place: Place }) {
  const { title, minutes, height = HEIGHT_PX } = bars;
  const { width, svg } = place;
  const id = `${useId()}-hatch`;
  const { xs, step } = barPlaces(minutes.length, { left: 0, right: width });
  const bar = Math.max(2, step * 0.8);
  const most = Math.max(1, ...minutes.map(({ count, refused = 0 }) => count + refused));
  const bottom = height - BELOW_PX;
  const y = linear([0, most], [bottom, TOP_PX]);
  const sum = minutes.reduce((all, { count }) => all + count, 0);
  const named = minutes.flatMap(({ at }, index) => {
    if ((minutes.length - 1 - index) % TICK_MINUTES !== 0) return [];
    const name = minuteOf(at);
    const nameWidth = textWidth(name);
    const x = Math.max(nameWidth / 2, Math.min(xs[index] ?? 0, width - nameWidth / 2));
    return [{ at, name, width: nameWidth, x }];
  });
  // From the minute that runs.
  const names = thinned(
    named.toReversed().map((one) => ({ ...one, x: -one.x })),
    TICK_GAP_PX,
  ).map((one) => ({ ...one, x: -one.x }));
  const wordsOf = ({ at, count, refused = 0 }: MinuteBarsProps['minutes'][number]) =>
    [t.of(minuteOf(at), exactNumber(count)), ...(refused > 0 ? [t.refused(refused)] : [])].join(
      ', ',
    );
  return (
    <svg
      ref={svg}
      width={width}
      height={height}
      role="img"
      aria-label={t.of(title, exactNumber(sum))}
    >
      <defs>
        <Hatch id={id} paint="series-hatch paint-1" size={5} />
      </defs>
      <text x={width} y="10" text-anchor="end">
        {exactNumber(most)}
      </text>
      <line class="hairline" x1="0" x2={width} y1={sharp(TOP_PX)} y2={sharp(TOP_PX)} />
      <line class="base" x1="0" x2={width} y1={sharp(bottom)} y2={sharp(bottom)} />
      {minutes.map((minute, index) => {
        const { at, count, refused = 0 } = minute;
        const x = round((xs[index] ?? 0) - bar / 2);
        const isOpen = index === minutes.length - 1;
        const top = y(count);
        return (
          <g key={at} class="paint-1">
            <title>{wordsOf(minute)}</title>
            <rect class="hit" x={x} y={TOP_PX} width={round(bar)} height={bottom - TOP_PX} />
            {count > 0 && (
              <rect
                class={isOpen ? 'bar-open' : 'bar-full'}
                x={x}
                y={round(top)}
                width={round(bar)}
                height={round(bottom - top)}
                rx="1"
                {...(isOpen && { fill: `url(#${id})` })}
              />
            )}
            {refused > 0 && (
              <rect
                class="bar-full paint-bad"
                x={x}
                y={round(y(count + refused))}
                width={round(bar)}
                height={round(Math.max(2, top - y(count + refused)))}
                rx="1"
              />
            )}
          </g>
        );
      })}
      {names.map(({ at, name, x }) => (
        <text key={at} x={round(x)} y={bottom + 14} text-anchor="middle">
          {name}
        </text>
      ))}
    </svg>
  );
}

/** The last bar is still filling; refused on top. */
export const MinuteBars = (bars: MinuteBarsProps) => (
  <ChartShell
    title={bars.title}
    height={bars.height ?? HEIGHT_PX}
    table={{
      head: t.minute,
      rows: bars.minutes.map(({ at }) => ({ key: at, plain: at, name: minuteOf(at) })),
      columns: [
        { label: t.events, values: bars.minutes.map(({ count }) => count), show: exactNumber },
        {
          label: t.refusedEvents,
          values: bars.minutes.map(({ refused = 0 }) => refused),
          show: exactNumber,
        },
      ],
    }}
  >
    {(place) => <Drawing bars={bars} place={place} />}
  </ChartShell>
);
