import { when } from '../../format.ts';
import type { api } from '../../state/api.ts';
import { status as statusTexts } from '../../texts/status.ts';

const t = statusTexts.backups;

type Backups = Awaited<ReturnType<typeof api.getStatus>>['backups'];

export const isBackupMissing = (backups: Backups): boolean => backups?.scheduled === false;

export function Backup({ backups }: { backups: Backups }) {
  if (backups === null) return <>{t.unknown}</>;
  const { scheduled, everyHours, lastVerifiedAt, lastAttemptAt, lastAttempt } = backups;
  if (!scheduled) return <span class="warn">{t.none}</span>;
  const attemptAt = lastAttemptAt && when(lastAttemptAt);
  if (lastVerifiedAt === null && lastAttempt !== 'failed') return <>{t.first}</>;
  return (
    <>
      <span class={lastVerifiedAt ? undefined : 'bad'}>
        {lastVerifiedAt ? `${t.verified(when(lastVerifiedAt))}.` : t.never}
      </span>{' '}
      {attemptAt && lastAttempt === 'failed' && <span class="bad">{t.failed(attemptAt)}</span>}
      {attemptAt && lastAttempt === 'running' && t.running(attemptAt)}
      {lastAttempt === 'good' && everyHours !== null && (
        <span class="quiet">{t.every(everyHours)}</span>
      )}
    </>
  );
}
