import { ago, when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { purchases as t } from '../../texts/purchases.ts';

const POLL_SECONDS = 10;
const ENVIRONMENTS = [
  ['production', 'Production'],
  ['sandbox', 'Sandbox'],
] as const;
type Seen = Awaited<ReturnType<typeof api.getSeenPurchaseNotifications>>['production'];

function Source(props: {
  name: 'production' | 'sandbox';
  seen: Seen;
  test: () => Promise<string>;
}) {
  const { name, seen } = props;
  const { lastNotificationAt, lastTestNotificationAt } = seen;
  return (
    <li>
      <span class={`dot ${lastNotificationAt ? '' : 'off'}`} />
      <div>
        <strong>{t[name]}</strong>
        <p title={lastNotificationAt ? when(lastNotificationAt) : undefined}>
          {lastNotificationAt ? t.heard(ago(lastNotificationAt)) : t.never}
          {lastTestNotificationAt && `, ${t.seenTest(ago(lastTestNotificationAt))}`}
        </p>
      </div>
      <div class="row">
        <ActionButton
          inRow
          button={t.test(t[name].toLowerCase())}
          notAllowed={whyNotManage.value}
          act={props.test}
        />
      </div>
    </li>
  );
}

export function Notifications({ appId }: { appId: string }) {
  const seen = useApi(
    api.getSeenPurchaseNotifications,
    { id: appId },
    { everySeconds: POLL_SECONDS },
  );
  const address = `${location.origin}/v1/purchases/notifications`;
  return (
    <Card title={t.notifications}>
      <p class="quiet">{t.where}</p>
      <p class="row">
        <code class="address">{address}</code>
        <Copy text={address} />
      </p>
      {location.protocol !== 'https:' && <p class="notice warn">{t.notReachable}</p>}
      <Loaded query={seen}>
        {(data) => (
          <ul class="sources">
            {ENVIRONMENTS.map(([name, environment]) => (
              <Source
                key={name}
                name={name}
                seen={data[name]}
                test={async () => {
                  await api.testPurchaseConnection({ body: { appId, environment } });
                  return t.asked;
                }}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <p class="quiet">
        {t.testNeeds} <a href="/store">{t.keys}</a>
      </p>
    </Card>
  );
}
