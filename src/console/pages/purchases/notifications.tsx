import { ago, when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { purchases as t } from '../../texts/purchases.ts';

const POLL_SECONDS = 10;
const ENVIRONMENTS = [
  ['production', 'Production'],
  ['sandbox', 'Sandbox'],
] as const;
type Seen = Awaited<ReturnType<typeof api.getSeenPurchaseNotifications>>['production'];

function LastSeen({ seen }: { seen: Seen }) {
  const { lastNotificationAt, lastTestNotificationAt } = seen;
  if (lastNotificationAt === null) return <span class="warning">{t.never}</span>;
  return (
    <span title={when(lastNotificationAt)}>
      {ago(lastNotificationAt)}
      {lastTestNotificationAt && ` (${t.seenTest} ${ago(lastTestNotificationAt)})`}
    </span>
  );
}

/** Where the store sends what happens, and whether it does. */
export function Notifications({ appId }: { appId: string }) {
  const seen = useQuery(
    `notifications ${appId}`,
    (signal) => api.getSeenPurchaseNotifications({ id: appId }, { signal }),
    { everySeconds: POLL_SECONDS },
  );
  const address = `${location.origin}/v1/purchases/notifications`;
  return (
    <section>
      <h2>{t.notifications}</h2>
      <p>{t.where}</p>
      <p class="row">
        <code>{address}</code>
        <Copy text={address} />
      </p>
      {location.protocol !== 'https:' && <p class="notice warning">{t.notReachable}</p>}
      <Loaded query={seen}>
        {(data) => (
          <Facts
            rows={ENVIRONMENTS.map(([name]) => [
              `${t[name]}: ${t.seen.toLowerCase()}`,
              <LastSeen key={name} seen={data[name]} />,
            ])}
          />
        )}
      </Loaded>
      <p class="quiet">
        {t.testNeeds} <a href="/store">{t.keys}</a>
      </p>
      {ENVIRONMENTS.map(([name, environment]) => (
        <p class="row" key={name}>
          <ActionButton
            button={`${t.test} (${t[name].toLowerCase()})`}
            notAllowed={!mayManage.value && texts.errors.managersOnly}
            act={async () => {
              await api.testPurchaseConnection({ body: { appId, environment } });
              return t.asked;
            }}
          />
        </p>
      ))}
    </section>
  );
}
