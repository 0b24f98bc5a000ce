import { useSignal } from '@preact/signals';
import { chart as t } from '../../texts/chart.ts';
import * as icons from '../icons.ts';
import { CHIP, type Chip, fold, TARGET } from './fold.ts';
import type { Frame } from './frame.ts';
import { box, round } from './scale.ts';
import { textWidth } from './text.ts';
import type { ChartMark, TimeChartProps } from './types.ts';

const LANE_TOP_PX = 4;
const TIP_PX = 240;
const SPARE_PX = (TARGET - CHIP) / 2;

const ICONS: Record<ChartMark['kind'], icons.Icon> = {
  version: icons.version,
  price: icons.price,
  experiment: icons.experiments,
  note: icons.note,
  release: icons.release,
};
export const MarkIcon = ({ kind }: { kind: ChartMark['kind'] }) => {
  const Icon = ICONS[kind];
  return <Icon class="tiny" />;
};

export function chipsOf({ marks = [], days }: TimeChartProps, frame: Frame): Chip[] {
  const placed = marks.flatMap((mark) => {
    // Of a day inside of a week or month: at its start.
    const index = days.findLastIndex((day) => day <= mark.day);
    const x = frame.xs[index];
    return x === undefined ? [] : [{ mark, x }];
  });
  return fold(placed, {
    min: 0,
    max: frame.width,
    widthOf: (label) => textWidth(label, 500),
  });
}

const toneOf = ({ marks }: Chip) => marks[0]?.tone ?? 'plain';

export function MarkLines({ chips, frame }: { chips: readonly Chip[]; frame: Frame }) {
  return (
    <g>
      {chips.flatMap((chip) =>
        chip.days.map((x) => (
          <line
            key={x}
            class={`mark-line ${x === chip.x ? toneOf(chip) : 'plain'}`}
            x1={round(x)}
            x2={round(x)}
            y1={LANE_TOP_PX + CHIP}
            y2={frame.bottom}
          />
        )),
      )}
    </g>
  );
}

export function MarkChips({ chips }: { chips: readonly Chip[] }) {
  return (
    <g>
      {chips.map((chip) => {
        const Icon = ICONS[chip.marks[0]?.kind ?? 'note'];
        return (
          <g key={chip.x} class={`mark ${toneOf(chip)}`}>
            <rect {...box(chip.left, LANE_TOP_PX, chip.width, CHIP)} rx="6" />
            <Icon x={round(chip.left + 4.5)} y={LANE_TOP_PX + 4.5} size={11} />
            {chip.label !== null && (
              <text x={round(chip.left + 19)} y={LANE_TOP_PX + 14}>
                {chip.label}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

function MarkTip(props: { chip: Chip; width: number; onMark?: (mark: ChartMark) => void }) {
  const { chip, width, onMark } = props;
  const left = Math.max(0, Math.min(chip.left, width - TIP_PX));
  return (
    <div
      class="chart-tip mark-tip"
      style={{ left: `${left}px`, top: `${LANE_TOP_PX + CHIP + 4}px`, maxWidth: `${TIP_PX}px` }}
    >
      {chip.marks.map((mark) => (
        <div class="tip-row" key={mark.key}>
          <span class={`tip-icon ${mark.tone ?? ''}`}>
            <MarkIcon kind={mark.kind} />
          </span>
          {onMark && chip.marks.length > 1 ? (
            <button type="button" onClick={() => onMark(mark)}>
              {mark.text ?? mark.label}
            </button>
          ) : (
            <span>{mark.text ?? mark.label}</span>
          )}
        </div>
      ))}
    </div>
  );
}

export function MarkButtons(props: {
  chips: readonly Chip[];
  width: number;
  onMark?: (mark: ChartMark) => void;
}) {
  const { chips, width, onMark } = props;
  const open = useSignal<number | null>(null);
  const name = ({ marks }: Chip) => marks.map(({ text, label }) => text ?? label).join('; ');
  const leave = (event: FocusEvent | PointerEvent) => {
    const group = event.currentTarget;
    const to = event.relatedTarget;
    if (!(group instanceof Node && to instanceof Node && group.contains(to))) open.value = null;
  };
  return (
    <div class="mark-buttons">
      {chips.map((chip, index) => (
        <div key={chip.x} onPointerLeave={leave} onBlurCapture={leave}>
          <button
            type="button"
            class="over"
            aria-label={t.marksOf(name(chip))}
            style={{
              left: `${chip.left - SPARE_PX}px`,
              top: `${LANE_TOP_PX - SPARE_PX}px`,
              width: `${chip.width + 2 * SPARE_PX}px`,
              height: `${TARGET}px`,
            }}
            onPointerEnter={() => {
              open.value = index;
            }}
            onFocus={() => {
              open.value = index;
            }}
            onClick={() => {
              const [only, second] = chip.marks;
              if (only && !second) onMark?.(only);
              open.value = index;
            }}
          />
          {open.value === index && (
            <MarkTip chip={chip} width={width} {...(onMark && { onMark })} />
          )}
        </div>
      ))}
    </div>
  );
}
