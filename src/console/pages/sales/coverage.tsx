import { calendarDay, money } from '../../format.ts';
import { texts } from '../../texts/index.ts';
import type { Analytics } from './sales.tsx';

const t = texts.sales;

/** Which days the store has answered for, and what could not be converted. */
export function Coverage({ analytics }: { analytics: Analytics }) {
  const { freshness, series, unconverted } = analytics;
  const { coveredThrough, gaps, lastError } = freshness;
  return (
    <section>
      <h2>{t.covered}</h2>
      <ol class="calendar" aria-label={t.covered}>
        {series.map(({ day, covered }) => (
          <li key={day} data-covered={covered} title={`${day}${covered ? '' : ` (${t.late})`}`}>
            <span class="skip">{`${day}${covered ? '' : ` ${t.late}`}`}</span>
          </li>
        ))}
      </ol>
      <p class="quiet">
        {coveredThrough && `${t.through} ${calendarDay(coveredThrough)}. `}
        {gaps > 0 && `${t.gaps(gaps)}. `}
      </p>
      {lastError && <p class="notice warning">{lastError}</p>}
      {unconverted.length > 0 && (
        <p class="notice warning">
          {t.unconverted}{' '}
          {unconverted
            .map(({ currency, proceedsMinor }) => money(proceedsMinor, currency))
            .join(', ')}
        </p>
      )}
    </section>
  );
}
