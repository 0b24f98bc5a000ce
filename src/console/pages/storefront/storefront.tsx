import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { ago } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { FunnelRows } from '../../parts/chart/index.ts';
import { Facts } from '../../parts/facts.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { mayManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { storefront as t } from '../../texts/storefront.ts';
import { Reviews, ReviewVersions } from './reviews.tsx';

function StoreFunnel({ appId: id }: { appId: string }) {
  const reports = useApi(api.getStoreReports, { id });
  const request = async () => {
    await api.requestStoreReports({ id, body: { access: 'ONGOING' } });
    return t.requested;
  };
  return (
    <Card
      class="store-funnel"
      title={t.funnel}
      sub={t.funnelWhy}
      actions={mayManage.value && <ActionButton inRow button={t.request} act={request} />}
    >
      <Loaded query={reports}>
        {({ funnel, requests }) =>
          requests.length === 0 && funnel.every(({ count }) => count === null) ? (
            <Empty icon={icons.store} title={t.notRequested} text={t.notRequestedWhy} />
          ) : (
            <>
              {requests.map(({ lastError }) => lastError && <p class="notice warn">{lastError}</p>)}
              <FunnelRows
                rows={funnel.map(({ step, count, other }) => ({
                  key: step,
                  name: t.steps[step] + (other ? t.other(other.there, other.difference) : ''),
                  people: count,
                  share: (count ?? 0) / Math.max(1, ...funnel.map((one) => one.count ?? 0)),
                  rate: null,
                }))}
              />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function Webhook({ appId }: { appId: string }) {
  const secret = useSignal<string | null>(null);
  const hook = useApi(api.getStoreWebhook, { id: appId });
  const make = async () => {
    secret.value = (await api.createStoreWebhook({ id: appId })).secret;
  };
  return (
    <Card
      class="store-hook"
      title={t.hook}
      sub={t.hookWhy}
      actions={<ActionButton inRow button={hook.value.data ? t.rotate : t.makeHook} act={make} />}
    >
      <Loaded query={hook} skeleton={<Skeleton shape="line" />}>
        {(made) =>
          made && (
            <>
              {made.lastError && <p class="notice warn">{made.lastError}</p>}
              <Facts
                rows={[
                  [t.told, made.lastDeliveryAt ? ago(made.lastDeliveryAt) : t.never],
                  [t.address, <code key="a">{made.address}</code>],
                  [t.secret, secret.value && <code key="s">{secret.value}</code>],
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

export function Storefront() {
  const appId = useRoute().params.id ?? '';
  return (
    <Page question={t.question} help="store-reviews">
      <StoreFunnel appId={appId} />
      <ReviewVersions appId={appId} />
      {mayManage.value && <Webhook appId={appId} />}
      <Reviews appId={appId} />
    </Page>
  );
}
