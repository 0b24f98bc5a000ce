import { useSignal } from '@preact/signals';
import { Chip } from '../../parts/chips/chip.tsx';
import { funnels } from '../../texts/funnels.ts';

const t = funnels.within;
const DAY_HOURS = 24;
const PRESETS = [1, 24, 72, 168, 336, 720, 2_160];
const MAX_HOURS = 2_160;

export const hoursText = (hours: number): string =>
  hours % DAY_HOURS === 0 ? t.days(hours / DAY_HOURS) : t.hours(hours);

type Unit = 'hours' | 'days';

function OtherHours({ hours, onChange }: { hours: number; onChange: (hours: number) => void }) {
  const inDays = hours % DAY_HOURS === 0;
  const unit = useSignal<Unit>(inDays ? 'days' : 'hours');
  const count = useSignal(String(inDays ? hours / DAY_HOURS : hours));
  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    onChange(Number(count.value) * (unit.value === 'days' ? DAY_HOURS : 1));
  };
  return (
    <form class="within-other" onSubmit={apply}>
      <input
        type="number"
        aria-label={t.other}
        min={1}
        max={unit.value === 'days' ? MAX_HOURS / DAY_HOURS : MAX_HOURS}
        required
        value={count.value}
        onInput={(event) => {
          count.value = event.currentTarget.value;
        }}
      />
      <select
        aria-label={t.unit}
        value={unit.value}
        onChange={(event) => {
          unit.value = event.currentTarget.value === 'days' ? 'days' : 'hours';
        }}
      >
        <option value="hours">{t.unitHours}</option>
        <option value="days">{t.unitDays}</option>
      </select>
      <button type="submit" class="plain">
        {t.apply}
      </button>
    </form>
  );
}

export function WithinChip(props: {
  hours: number;
  isChosen: boolean;
  onChange: (hours: number | undefined) => void;
}) {
  const { hours, isChosen, onChange } = props;
  return (
    <Chip
      name={t.name}
      word={t.word}
      value={hoursText(hours)}
      onRemove={isChosen ? () => onChange(undefined) : undefined}
    >
      {(close) => {
        const choose = (next: number) => {
          close();
          onChange(next);
        };
        return (
          <div class="within-panel">
            {PRESETS.map((preset) => (
              <button
                key={preset}
                type="button"
                class="menu-item"
                aria-current={preset === hours || undefined}
                onClick={() => choose(preset)}
              >
                {hoursText(preset)}
                {preset === hours && !isChosen && <span class="menu-detail">{t.setting}</span>}
              </button>
            ))}
            <OtherHours hours={hours} onChange={choose} />
          </div>
        );
      }}
    </Chip>
  );
}
