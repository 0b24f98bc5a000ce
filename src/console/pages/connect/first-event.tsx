import { ago, when } from '../../format.ts';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { connect as t } from '../../texts/connect.ts';
import { visible } from '../../visible.ts';

const POLL_SECONDS = 3;

/** A light that turns green at the first event, and the reason of the last refusal. */
export function FirstEvent({ appId }: { appId: string }) {
  const recent = useQuery(
    `recent ${appId} all 1`,
    (signal) =>
      api.listRecentEvents({ id: appId, query: { environment: 'all', limit: 1 } }, { signal }),
    { everySeconds: POLL_SECONDS },
  );
  const ingestion = useQuery(
    `ingestion ${appId} all`,
    (signal) => api.getIngestion({ id: appId, query: { days: 1, environment: 'all' } }, { signal }),
    { everySeconds: POLL_SECONDS * 3 },
  );
  const refused = ingestion.value.data?.rejected.toSorted((a, b) =>
    b.lastAt.localeCompare(a.lastAt),
  )[0];
  return (
    <div aria-live="polite">
      <Loaded query={recent}>
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
      </Loaded>
      <Loaded query={ingestion}>
        {() => (
          <p class={refused ? 'warning' : 'quiet'}>
            {refused
              ? `${t.refused}: ${when(refused.lastAt)} · ${refused.lastExample ?? refused.reason}`
              : t.noneRefused}
          </p>
        )}
      </Loaded>
    </div>
  );
}
