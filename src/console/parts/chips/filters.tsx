import { type Filter, withFilter } from '../../state/filter-rules.ts';
import type { Sent } from '../../state/sent.ts';
import { dimensionLabel, valueLabel } from '../../state/sent-values.ts';
import { controls as t } from '../../texts/controls.ts';
import { AddChip, Chip } from './chip.tsx';
import * as icons from '../icons.ts';
import { Opened } from './opened.tsx';

export function FilterChips(props: {
  sent: Sent;
  filters: readonly Filter[];
  onChange: (filters: readonly Filter[]) => void;
}) {
  const { sent, filters, onChange } = props;
  return (
    <>
      {filters.map((filter) => (
        <Chip
          key={filter.dimension}
          name={t.chips.filter}
          word={dimensionLabel(filter.dimension)}
          value={valueLabel(filter.dimension, filter.value)}
          onRemove={() => onChange(filters.filter((one) => one !== filter))}
        >
          {(close) => (
            <Opened>
              {({ ValuePicker }) => (
                <ValuePicker
                  sent={sent}
                  dimension={filter.dimension}
                  onPick={(value) => {
                    close();
                    onChange(filters.map((one) => (one === filter ? { ...filter, value } : one)));
                  }}
                />
              )}
            </Opened>
          )}
        </Chip>
      ))}
      <AddChip text={t.chips.filter} name={t.chips.addFilter} icon={icons.filter}>
        {(close) => (
          <Opened>
            {({ FilterPicker }) => (
              <FilterPicker
                sent={sent}
                filters={filters}
                onPick={(filter) => {
                  close();
                  onChange(withFilter(filters, filter));
                }}
              />
            )}
          </Opened>
        )}
      </AddChip>
    </>
  );
}
