import { ago, when } from '../../format.ts';
import { Answered } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuestion } from '../../state/question.ts';
import { texts } from '../../texts/index.ts';
import { visible } from '../../visible.ts';

const t = texts.connect;
const POLL_SECONDS = 3;

/** A light that turns green at the first event, and the reason of the last refusal. */
export function FirstEvent({ appId }: { appId: string }) {
  const recent = useQuestion(
    `recent ${appId} all 1`,
    (signal) =>
      api.listRecentEvents({ id: appId, query: { environment: 'all', limit: 1 } }, { signal }),
    POLL_SECONDS,
  );
  const ingestion = useQuestion(
    `ingestion ${appId} all`,
    (signal) => api.getIngestion({ id: appId, query: { days: 1, environment: 'all' } }, { signal }),
    POLL_SECONDS * 3,
  );
  const refused = ingestion.value.answer?.rejected.toSorted((a, b) =>
    b.lastAt.localeCompare(a.lastAt),
  )[0];
  return (
    <div aria-live="polite">
      <Answered asked={recent.value} again={recent.again}>
        {([last]) => (
          <p>
            <span class="light" data-on={last !== undefined} />{' '}
            {last ? (
              <>
                <strong>{last.name}</strong>, {ago(last.receivedAt)}
                {last.platform && `, ${last.platform} ${last.appVersion ?? ''}`} (
                {visible(last.personId)})
              </>
            ) : (
              t.waiting
            )}
          </p>
        )}
      </Answered>
      <Answered asked={ingestion.value} again={ingestion.again}>
        {() => (
          <p class={refused ? 'warning' : 'quiet'}>
            {refused
              ? `${t.refused}: ${when(refused.lastAt)} · ${refused.lastExample ?? refused.reason}`
              : t.noneRefused}
          </p>
        )}
      </Answered>
    </div>
  );
}
