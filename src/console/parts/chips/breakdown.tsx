import type { Dimension } from '../../state/filter-rules.ts';
import type { Sent } from '../../state/sent.ts';
import { fieldLabel } from '../../state/condition-words.ts';
import { controls as t } from '../../texts/controls.ts';
import { AddChip, Chip } from './chip.tsx';
import { picking } from './opened.tsx';

export function BreakdownChip<D extends string = never>(props: {
  sent: Sent;
  value: D | Dimension | undefined;
  onChange: (dimension: D | Dimension | undefined) => void;
  /** Offered beside what the app has sent. */
  extra?: readonly D[];
  disabledWhy?: string | undefined;
}) {
  const { sent, value, onChange, extra = [], disabledWhy } = props;
  const contents = picking(
    ({ BreakdownPicker }, pick) => <BreakdownPicker {...{ sent, extra }} onPick={pick} />,
    onChange,
  );
  if (!value) {
    return (
      <AddChip text={t.chips.breakdown} name={t.chips.breakdownBy} disabledWhy={disabledWhy}>
        {contents}
      </AddChip>
    );
  }
  return (
    <Chip
      name={t.chips.breakdown}
      word={t.chips.by}
      value={fieldLabel(value)}
      onRemove={() => onChange(undefined)}
    >
      {contents}
    </Chip>
  );
}
