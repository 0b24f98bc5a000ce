import { ActionButton } from '../../parts/action-button.tsx';
import { ListCard } from '../../parts/list-card.tsx';
import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';
import { account as t } from '../../texts/account.ts';

export function Sessions() {
  const sessions = useApi(api.listSessions);
  const end = (sessionId: string) => api.revokeSession({ body: { sessionId } });
  const endOthers = async () => {
    await api.revokeOtherSessions();
    return t.ended;
  };
  return (
    <ListCard
      title={t.sessions}
      query={sessions}
      actions={<ActionButton inRow button={t.others} act={endOthers} />}
      keyOf={({ id }) => id}
      csvName="where-you-are-signed-in"
      count={null}
      columns={[
        { label: t.program, show: ({ userAgent }) => userAgent ?? t.unknown, narrow: true },
        { label: t.from, show: ({ address }) => address ?? t.unknown },
        { label: t.since, at: ({ createdAt }) => createdAt, isAgo: true, narrow: true },
        {
          label: t.act,
          narrow: true,
          show: ({ id, isCurrent }) =>
            isCurrent ? t.isCurrent : <ActionButton inRow button={t.end} act={() => end(id)} />,
        },
      ]}
    />
  );
}
