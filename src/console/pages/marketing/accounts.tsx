import { useSignal } from '@preact/signals';
import { ago, when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { whyNotEdit } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { marketing as t } from '../../texts/marketing.ts';

export const PLATFORMS = ['photo_feed', 'short_video'] as const;
type Platform = (typeof PLATFORMS)[number];
type Connection = Awaited<ReturnType<typeof api.getSocialConnections>>[Platform];

function Account(props: { appId: string; platform: Platform; connection: Connection }) {
  const { appId, platform, connection } = props;
  const { status, handle, displayName, connectedAt } = connection;
  const page = useSignal<string | null>(null);
  const isOn = status === 'connected';
  return (
    <Card
      title={t.platforms[platform]}
      actions={<span class={isOn ? 'chip good' : 'chip'}>{t[status]}</span>}
    >
      {(handle || displayName) && (
        <p>
          {[displayName, handle].filter(Boolean).join(', ')}{' '}
          <span class="quiet">{isOn && connectedAt && when(connectedAt)}</span>
        </p>
      )}
      {!isOn && handle && <p class="notice warn">{t.signInAgain}</p>}
      <div class="row">
        <ActionButton
          button={isOn ? t.again : t.connect}
          notAllowed={whyNotEdit.value}
          act={async () => {
            page.value = (await api.connectSocialPlatform({ id: appId, platform })).accessUrl;
          }}
        />
        {page.value && (
          <a href={page.value} target="_blank" rel="noreferrer">
            {t.openPage}
          </a>
        )}
      </div>
    </Card>
  );
}

export function Accounts({ appId }: { appId: string }) {
  const found = useApi(api.getSocialConnections, { id: appId });
  return (
    <Loaded query={found}>
      {(connections) => (
        <>
          <div class="grid two">
            {PLATFORMS.map((platform) => (
              <Account
                key={platform}
                appId={appId}
                platform={platform}
                connection={connections[platform]}
              />
            ))}
          </div>
          <div class="row">
            <ActionButton
              button={t.refresh}
              notAllowed={whyNotEdit.value}
              act={() => api.refreshSocialConnections({ id: appId })}
            />
            {connections.lastCheckedAt && (
              <span class="quiet">
                {t.checked} {ago(connections.lastCheckedAt)}
              </span>
            )}
          </div>
        </>
      )}
    </Loaded>
  );
}
