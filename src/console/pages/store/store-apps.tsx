import { ActionButton } from '../../parts/action-button.tsx';
import { ChoiceWithConfirm } from '../../parts/choice-with-confirm.tsx';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { whyNotEdit, whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { store as t } from '../../texts/store.ts';

type Found = Awaited<ReturnType<typeof api.listStoreApps>>[number];
type Options = readonly { value: string; label: string }[];

function Linked(props: {
  app: Found;
  options: Options;
  link: (storeAppId: string, appId: string) => Promise<unknown>;
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

export function StoreApps() {
  const found = useApi(api.listStoreApps);
  const apps = useApps();
  const link = (storeAppId: string, appId: string) =>
    api.linkStoreApp({ body: { storeAppId, appId: appId || null } });
  const importApp = async (storeAppId: string) => {
    await api.importApp({ body: { storeAppId } });
    found.refetch();
  };
  const ask = async () => {
    const { count } = await api.refreshStoreApps();
    return t.found(count);
  };
  const ours = (apps.value.data ?? []).map(({ id, displayName }) => ({
    value: id,
    label: displayName,
  }));
  const options: Options = [{ value: '', label: t.notLinked }, ...ours];
  return (
    <ListCard
      title={t.apps}
      sub={t.appsWhy}
      count={null}
      query={found}
      actions={<ActionButton inRow button={t.refresh} notAllowed={whyNotManage.value} act={ask} />}
      empty={{ icon: icons.store, title: t.noApps, text: t.noAppsWhy }}
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
        { label: t.checked, at: ({ storeCheckedAt }) => storeCheckedAt, isAgo: true },
        {
          label: t.linked,
          narrow: true,
          plain: ({ appId }) => ours.find(({ value }) => value === appId)?.label ?? null,
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
