import { useSignal } from '@preact/signals';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { download } from '../../parts/download.ts';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { CursorPagination } from '../../parts/pagination.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { fetchHere } from '../../state/organization.ts';
import { mayManage, whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { audit as t } from '../../texts/audit.ts';
import { Entries, OneEntry } from './entries.tsx';
import { Asked, queryOf, Since, useFilters } from './filters.tsx';
import type { Entry } from './names.ts';

const LIMIT = 50;

function useNames(): ReadonlyMap<string, string> {
  const enabled = mayManage.value;
  const members = useApi(api.listMembers);
  const keys = useApi(api.listOrganizationKeys, undefined, { enabled });
  return new Map([
    ...(members.value.data ?? []).map(({ userId, name }) => [userId, name] as const),
    ...(keys.value.data ?? []).map(({ id, name }) => [id, t.key(name)] as const),
  ]);
}

async function exportCsv(query: Record<string, string>): Promise<void> {
  const url = `/v1/audit?${new URLSearchParams(query)}`;
  const answer = await fetchHere(url, { headers: { accept: 'text/csv' } });
  if (!answer.ok) throw new Error(t.exportFailed);
  download('audit.csv', await answer.blob());
}

type Names = ReturnType<typeof useNames>;

function Shown({ entries, names }: { entries: readonly Entry[]; names: Names }) {
  const [chosen, choose] = useSetting('entry', '');
  const apps = useApps();
  const entry = entries.find(({ id }) => id === chosen);
  const appName = (appId: string) =>
    apps.value.data?.find(({ id }) => id === appId)?.displayName ?? appId;
  return (
    <div class={entry ? 'grid two' : 'grid'}>
      <Card title={t.entries} flush>
        <Entries entries={entries} names={names} chosen={chosen} onChoose={choose} />
      </Card>
      {entry && (
        <OneEntry entry={entry} names={names} appName={appName} onClose={() => choose('')} />
      )}
    </div>
  );
}

function List({ query, names }: { query: Record<string, string>; names: Names }) {
  const cursor = useSignal('');
  const after = cursor.value;
  const found = useApi(api.listAuditEntries, {
    query: { ...query, limit: LIMIT, ...(after && { cursor: after }) },
  });
  return (
    <Loaded query={found} skeleton={<Skeleton shape="rows" count={LIMIT} />}>
      {({ entries, nextCursor }) => (
        <>
          {entries.length === 0 ? (
            <Card title={t.entries}>
              <Empty icon={icons.filter} title={t.none} text={t.noneWhy} />
            </Card>
          ) : (
            <Shown entries={entries} names={names} />
          )}
          <p class="row">
            <CursorPagination cursor={cursor} next={nextCursor} />
          </p>
        </>
      )}
    </Loaded>
  );
}

export function Audit() {
  const filters = useFilters();
  const names = useNames();
  const query = queryOf(filters);
  return (
    <Page
      question={t.question}
      help="audit"
      notAllowed={whyNotManage.value}
      actions={mayManage.value && <ActionButton button={t.export} act={() => exportCsv(query)} />}
      toolbar={{
        left: <Asked filters={filters} names={names} />,
        right: <Since filters={filters} />,
      }}
      foot={[t.why]}
    >
      <List key={JSON.stringify(query)} query={query} names={names} />
    </Page>
  );
}
