import { ago, when } from '../../format.ts';
import * as icons from '../../parts/icons.ts';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { contextWords } from '../../state/context-words.ts';
import { VERSION } from '../../state/filter-rules.ts';
import type { Query } from '../../state/query.ts';
import { useApi } from '../../state/use-api.ts';
import { connect as t } from '../../texts/connect.ts';
import { visible } from '../../visible.ts';

const POLL_SECONDS = 3;

type Recent = Awaited<ReturnType<typeof api.listRecentEvents>>;
type Ingestion = Awaited<ReturnType<typeof api.getIngestion>>;
type First = { recent: Query<Recent>; ingestion: Query<Ingestion> };

export function useFirstEvent(appId: string): First {
  const recent = useApi(
    api.listRecentEvents,
    { id: appId, query: { environment: 'all', limit: 1 } },
    { everySeconds: POLL_SECONDS },
  );
  const ingestion = useApi(
    api.getIngestion,
    { id: appId, query: { days: 1, environment: 'all' } },
    { everySeconds: POLL_SECONDS * 3 },
  );
  return { recent, ingestion };
}

function Heard({ appId, last }: { appId: string; last: Recent[number] }) {
  const { name, receivedAt, personId } = last;
  const from = contextWords(last, ['platform', VERSION]).join(' ');
  return (
    <>
      <span class="light" data-on="true" />
      <div>
        <strong>{t.heard(ago(receivedAt))}</strong>
        <p>
          <code>{name}</code> {from && `· ${from} `}· {visible(personId)}
        </p>
      </div>
      <a href={`/apps/${appId}/live`}>{t.toLive}</a>
    </>
  );
}

function Refused({ ingestion, last }: { ingestion: Ingestion; last: Recent[number] | undefined }) {
  const refused = ingestion.rejected.toSorted((a, b) => b.lastAt.localeCompare(a.lastAt))[0];
  if (!refused || (last && last.receivedAt > refused.lastAt)) return null;
  return (
    <p class="notice warn">
      <span>
        <icons.warning class="small" /> <strong>{t.refused}</strong>{' '}
        {t.refusedWhy(when(refused.lastAt), refused.lastExample ?? refused.reason)}
      </span>
    </p>
  );
}

export function FirstEvent({ appId, first }: { appId: string; first: First }) {
  const { recent, ingestion } = first;
  return (
    <div aria-live="polite" class="first-event">
      <Loaded query={recent} skeleton={<Skeleton shape="line" />}>
        {([last]) => (
          <>
            <div class="heard">
              {last ? (
                <Heard appId={appId} last={last} />
              ) : (
                <>
                  <span class="light" data-on="false" />
                  <strong>{t.waiting}</strong>
                </>
              )}
            </div>
            {ingestion.value.data && <Refused ingestion={ingestion.value.data} last={last} />}
          </>
        )}
      </Loaded>
    </div>
  );
}
