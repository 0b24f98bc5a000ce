import type { Dimension } from '../../state/filter-rules.ts';
import type { Sent } from '../../state/sent.ts';
import { dimensionLabel } from '../../state/sent-values.ts';
import { controls as t } from '../../texts/controls.ts';
import { AddChip, Chip } from './chip.tsx';
import { Opened } from './opened.tsx';

export function BreakdownChip(props: {
  sent: Sent;
  value: Dimension | undefined;
  onChange: (dimension: Dimension | undefined) => void;
  extra?: readonly Dimension[];
  disabledWhy?: string | undefined;
}) {
  const { sent, value, onChange, extra = [], disabledWhy } = props;
  const contents = (close: () => void) => (
    <Opened>
      {({ BreakdownPicker }) => (
        <BreakdownPicker
          sent={sent}
          extra={extra}
          onPick={(picked) => {
            close();
            onChange(picked);
          }}
        />
      )}
    </Opened>
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
      value={dimensionLabel(value)}
      onRemove={() => onChange(undefined)}
    >
      {contents}
    </Chip>
  );
}
