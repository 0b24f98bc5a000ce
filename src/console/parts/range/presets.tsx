import { dayRange } from '../../format.ts';
import { type Days, lengthOf } from '../../state/days.ts';
import type { RangeState } from '../../state/range.ts';
import { PRESETS, presetLabel, type Range, resolveRange } from '../../state/ranges.ts';
import type { VersionDays } from '../../state/version-days.ts';
import { range as t } from '../../texts/range.ts';
import { moveFocus } from '../arrow-keys.ts';
import * as icons from '../icons.ts';

const isSame = (one: Days, other: Days | undefined): boolean =>
  one.from === other?.from && one.to === other.to;

export function Presets(props: {
  range: RangeState;
  draft: Days | undefined;
  versions: readonly VersionDays[];
  onPick: (range: Range) => void;
}) {
  const { range, draft, versions, onPick } = props;
  const presets = PRESETS.map((preset) => ({ kind: 'preset' as const, preset }));
  const isChosen = (one: Range) => isSame(resolveRange(one, range.today), draft);
  return (
    <ul class="presets" onKeyDown={(event) => moveFocus(event, 'button')}>
      {presets.map((one) => (
        <li key={one.preset}>
          <button
            type="button"
            class="preset"
            aria-current={isChosen(one) || undefined}
            onClick={() => onPick(one)}
          >
            {presetLabel(one.preset)}
          </button>
        </li>
      ))}
      {versions.map(({ version, isLast, from, to }) => (
        <li key={`version ${version}`}>
          <button
            type="button"
            class="preset"
            aria-current={isSame({ from, to }, draft) || undefined}
            onClick={() => onPick({ kind: 'dates', from, to })}
          >
            <icons.version aria-hidden />
            {isLast ? t.since(version) : t.version(version, dayRange(from, to))}
          </button>
        </li>
      ))}
    </ul>
  );
}

export const sizeOf = (days: Days, timezone: string): string => t.inZone(lengthOf(days), timezone);
