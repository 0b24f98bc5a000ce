import { ago } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { whyNotEdit } from '../../state/session.ts';
import { purchases as t } from '../../texts/purchases.ts';

type Notice = Awaited<ReturnType<typeof api.listStoreNotices>>['notices'][number];

const kindOf = ({ kind, environment }: Notice): string =>
  environment === 'Sandbox' ? `${t.noticeKinds[kind]} (${t.sandbox})` : t.noticeKinds[kind];

function Subject({ appId, notice }: { appId: string; notice: Notice }) {
  const { userIds, anonymousIds, appTransactionId, externalPurchaseId } = notice;
  const [personId] = [...userIds, ...anonymousIds];
  if (personId !== undefined) return <PersonLink appId={appId} personId={personId} />;
  return <code>{appTransactionId ?? externalPurchaseId ?? t.nobodyNamed}</code>;
}

export function Notices({ appId }: { appId: string }) {
  const open = useQuery(`store notices ${appId}`, (signal) =>
    api.listStoreNotices({ id: appId, query: { state: 'open' } }, { signal }),
  );
  const rows = open.value.data?.notices ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={t.notices} isRegion count={rows.length} flush>
      <Table
        caption={t.notices}
        rows={rows}
        keyOf={({ id }) => id}
        csvName={null}
        columns={[
          { label: t.notice, show: kindOf },
          { label: t.about, show: (notice) => <Subject appId={appId} notice={notice} /> },
          { label: t.notified, show: ({ notifiedAt }) => ago(notifiedAt) },
          {
            label: t.resolve,
            isAct: true,
            show: ({ id }) => (
              <ActionButton
                inRow
                button={t.resolve}
                notAllowed={whyNotEdit.value}
                act={async () => {
                  await api.resolveStoreNotice({
                    id: appId,
                    noticeId: id,
                    body: { resolved: true },
                  });
                  open.refetch();
                  return undefined;
                }}
              />
            ),
          },
        ]}
      />
      <p class="quiet looks-none">
        {t.noticesWhy} <a href="/help/purchases#consent-taken-back">{t.noticesHow}</a>
      </p>
    </Card>
  );
}
