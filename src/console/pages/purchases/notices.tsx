import { ActionButton } from '../../parts/action-button.tsx';
import { ListCard } from '../../parts/list-card.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { api } from '../../state/api.ts';
import { mapped } from '../../state/mapped.ts';
import { whyNotEdit } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
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

export function Notices({ appId: id }: { appId: string }) {
  const open = useApi(api.listStoreNotices, { id, query: { state: 'open' } });
  if (!open.value.data?.notices.length) return null;
  return (
    <ListCard
      title={t.notices}
      isRegion
      query={mapped(open, ({ notices }) => notices)}
      keyOf={(notice) => notice.id}
      columns={[
        { label: t.notice, show: kindOf },
        { label: t.about, show: (notice) => <Subject appId={id} notice={notice} /> },
        { label: t.notified, at: ({ notifiedAt }) => notifiedAt, isAgo: true },
        {
          label: t.resolve,
          isAct: true,
          show: (notice) => (
            <ActionButton
              inRow
              button={t.resolve}
              notAllowed={whyNotEdit.value}
              act={() =>
                api.resolveStoreNotice({ id, noticeId: notice.id, body: { resolved: true } })
              }
            />
          ),
        },
      ]}
      below={
        <p class="quiet looks-none">
          {t.noticesWhy} <a href="/help/purchases#consent-taken-back">{t.noticesHow}</a>
        </p>
      }
    />
  );
}
