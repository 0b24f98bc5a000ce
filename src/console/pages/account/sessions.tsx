import { ago } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { account as t } from '../../texts/account.ts';

export function Sessions() {
  const sessions = useQuery('sessions', (signal) => api.listSessions(undefined, { signal }));
  const end = async (sessionId: string) => {
    await api.revokeSession({ body: { sessionId } });
    sessions.refetch();
    return undefined;
  };
  const endOthers = async () => {
    await api.revokeOtherSessions();
    sessions.refetch();
    return t.ended;
  };
  return (
    <Card
      title={t.sessions}
      actions={<ActionButton inRow button={t.others} act={endOthers} />}
      flush
    >
      <Loaded query={sessions}>
        {(all) => (
          <Table
            caption={t.sessions}
            rows={all}
            keyOf={({ id }) => id}
            columns={[
              { label: t.program, show: ({ userAgent }) => userAgent ?? t.unknown, narrow: true },
              { label: t.from, show: ({ address }) => address ?? t.unknown },
              { label: t.since, show: ({ createdAt }) => ago(createdAt), narrow: true },
              {
                label: t.act,
                show: ({ id, isCurrent }) =>
                  isCurrent ? (
                    t.isCurrent
                  ) : (
                    <ActionButton inRow button={t.end} act={() => end(id)} />
                  ),
                narrow: true,
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
