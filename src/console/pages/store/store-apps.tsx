import { ago } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { ChoiceWithConfirm } from '../../parts/choice-with-confirm.tsx';
import * as icons from '../../parts/icons.ts';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useQuery } from '../../state/query.ts';
import { whyNotEdit, whyNotManage } from '../../state/session.ts';
import { store as t } from '../../texts/store.ts';

type Found = Awaited<ReturnType<typeof api.listStoreApps>>[number];
type Options = readonly { value: string; label: string }[];

function Linked(props: {
  app: Found;
  options: Options;
  link: (storeAppId: string, appId: string) => Promise<void>;
}) {
  const { app, options } = props;
  const { name, storeAppId } = app;
  const nameOf = (id: string) => options.find(({ value }) => value === id)?.label ?? t.notLinked;
  return (
    <ChoiceWithConfirm
      label={t.linkOf(name)}
      options={options}
      value={app.appId ?? ''}
      changes={(_, to) => (to ? t.linking(name, nameOf(to)) : t.unlinking(name))}
      needsConfirm={() => false}
      onSave={(to) => props.link(storeAppId, to)}
      disabledWhy={whyNotManage.value}
    />
  );
}

function AppTable(props: { all: readonly Found[]; refetch: () => void }) {
  const { all, refetch } = props;
  const apps = useApps();
  const link = async (storeAppId: string, appId: string) => {
    await api.linkStoreApp({ body: { storeAppId, appId: appId || null } });
    refetch();
  };
  const importApp = async (storeAppId: string) => {
    await api.importApp({ body: { storeAppId } });
    apps.refetch();
    refetch();
    return undefined;
  };
  const ours = (apps.value.data ?? []).map(({ id, displayName }) => ({
    value: id,
    label: displayName,
  }));
  const options: Options = [{ value: '', label: t.notLinked }, ...ours];
  const nameOf = (appId: string | null) => ours.find(({ value }) => value === appId)?.label ?? null;
  return (
    <Table
      empty={{ icon: icons.store, title: t.noApps, text: t.noAppsWhy }}
      caption={t.apps}
      rows={all}
      keyOf={({ storeAppId }) => storeAppId}
      csvName="store-apps"
      columns={[
        {
          label: t.name,
          show: ({ name }) => <strong>{name}</strong>,
          plain: ({ name }) => name,
          second: ({ bundleId }) => <code>{bundleId}</code>,
          narrow: true,
        },
        {
          label: t.state,
          show: ({ storeState, storeVersion }) =>
            [storeState?.replaceAll('_', ' '), storeVersion].filter(Boolean).join(', '),
          plain: ({ storeState }) => storeState,
        },
        { label: t.checked, show: (app) => app.storeCheckedAt && ago(app.storeCheckedAt) },
        {
          label: t.linked,
          narrow: true,
          plain: ({ appId }) => nameOf(appId),
          show: (app) => <Linked app={app} options={options} link={link} />,
        },
        {
          label: t.make,
          isAct: true,
          narrow: true,
          show: ({ storeAppId, appId }) =>
            appId === null && (
              <ActionButton
                inRow
                button={t.import}
                notAllowed={whyNotEdit.value}
                act={() => importApp(storeAppId)}
              />
            ),
        },
      ]}
    />
  );
}

export function StoreApps() {
  const found = useQuery('store apps', (signal) => api.listStoreApps(undefined, { signal }));
  return (
    <Card
      title={t.apps}
      sub={t.appsWhy}
      flush
      actions={
        <ActionButton
          inRow
          button={t.refresh}
          notAllowed={whyNotManage.value}
          act={async () => {
            const { count } = await api.refreshStoreApps();
            found.refetch();
            return t.found(count);
          }}
        />
      }
    >
      <Loaded query={found}>{(all) => <AppTable all={all} refetch={found.refetch} />}</Loaded>
    </Card>
  );
}
