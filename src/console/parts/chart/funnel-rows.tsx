import { duration, exactNumber, rate as shownRate, rateInterval, UNKNOWN } from '../../format.ts';
import { chart as t } from '../../texts/chart.ts';
import { Meter } from './meter.tsx';
import type { FunnelRow, FunnelRowsProps } from './types.ts';

function Name({ row, onClick }: { row: FunnelRow; onClick: (() => void) | undefined }) {
  if (!onClick) return <span class="funnel-name">{row.name}</span>;
  return (
    <button type="button" class="funnel-name" onClick={onClick}>
      {row.name}
    </button>
  );
}

function Details({ row, onLost }: { row: FunnelRow; onLost: (() => void) | undefined }) {
  const { rate, low, high, medianSeconds, lost, isBiggestLeak } = row;
  if (rate === null) return null;
  const interval =
    low === undefined || low === null || high === undefined || high === null
      ? []
      : [rateInterval(low, high)];
  const time =
    medianSeconds === undefined || medianSeconds === null ? [] : [duration(medianSeconds)];
  return (
    <div class="funnel-details">
      <b class={isBiggestLeak ? 'bad' : ''}>{shownRate(rate)}</b>
      <span>{[...interval, ...time].join(', ')}</span>
      {isBiggestLeak && <span class="chip bad">{t.biggestLeak}</span>}
      {lost !== undefined && lost > 0 && (
        <span class="funnel-lost">
          {onLost ? (
            <button type="button" onClick={onLost} aria-label={t.leftBefore(lost, row.name)}>
              {t.left(lost)}
            </button>
          ) : (
            t.left(lost)
          )}
        </span>
      )}
    </div>
  );
}

export function FunnelRows(props: FunnelRowsProps) {
  const { rows, isDetailed = false, isOutline = false, onReached, onLost } = props;
  const look = [isDetailed && 'detailed', isOutline && 'outline'].filter(Boolean).join(' ');
  return (
    <ol class={`funnel-rows ${look}`}>
      {rows.map((row, index) => (
        <li key={row.key}>
          <div class="funnel-head">
            {isDetailed && (
              <span class="funnel-number" aria-hidden="true">
                {index + 1}
              </span>
            )}
            <Name row={row} onClick={onReached && (() => onReached(index))} />
            {!isDetailed && row.rate !== null && (
              <span class={row.isBiggestLeak ? 'funnel-rate bad' : 'funnel-rate'}>
                {shownRate(row.rate)}
                {row.isBiggestLeak && <span class="skip">, {t.biggestLeak}</span>}
              </span>
            )}
            <b class="funnel-people">{row.people === null ? UNKNOWN : exactNumber(row.people)}</b>
          </div>
          <Meter
            share={row.share}
            height={isDetailed ? 10 : 8}
            paint={row.isBiggestLeak ? 'bad' : 1}
          />
          {isDetailed && <Details row={row} onLost={onLost && (() => onLost(index))} />}
        </li>
      ))}
    </ol>
  );
}
