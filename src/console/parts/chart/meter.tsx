import { isolated } from '../../format.ts';
import type { MeterProps, Paint } from './types.ts';

export function Meter({ share, paint = 1, height = 8, width, label }: MeterProps) {
  const part = Math.max(0, Math.min(1, share));
  const named = label
    ? {
        role: 'meter' as const,
        'aria-label': label,
        'aria-valuemin': 0,
        'aria-valuemax': 1,
        'aria-valuenow': part,
      }
    : { 'aria-hidden': true };
  return (
    <span
      class={`meter paint-${paint}`}
      style={{ height: `${height}px`, ...(width !== undefined && { width: `${width}px` }) }}
      {...named}
    >
      {part > 0 && <i style={{ width: `${part * 100}%` }} />}
    </span>
  );
}

type SwatchProps = { slot: Paint; look?: 'full' | 'open' | 'pale' };

export const Swatch = ({ slot, look = 'full' }: SwatchProps) => (
  <span class={`swatch ${look} paint-${slot}`} aria-hidden="true" />
);

export const Legend = (props: { items: readonly (SwatchProps & { name: string })[] }) => (
  <ul class="chart-legend">
    {props.items.map(({ name, slot, look }) => (
      <li key={name}>
        <Swatch slot={slot} {...(look && { look })} />
        <span title={name}>{isolated(name)}</span>
      </li>
    ))}
  </ul>
);

/** The sign of a 95 % interval, beside a legend. */
export const WhiskerSign = ({ name }: { name: string }) => (
  <span class="chart-legend">
    <svg width="8" height="14" aria-hidden="true" class="whisker">
      <path d="M4 1V13M1 1h6M1 13h6" />
    </svg>
    {name}
  </span>
);
