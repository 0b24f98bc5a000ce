import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { FunnelRows } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { mayManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { storefront as t } from '../../texts/storefront.ts';

export function StoreFunnel({ appId: id }: { appId: string }) {
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
