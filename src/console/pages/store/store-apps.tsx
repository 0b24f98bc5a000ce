import { useSignal } from '@preact/signals';
import { ago } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Choice } from '../../parts/form.tsx';
import { ErrorNotice, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api, type RequestError, toRequestError } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useQuery } from '../../state/query.ts';
import { mayEdit, mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { store as t } from '../../texts/store.ts';

type Found = Awaited<ReturnType<typeof api.listStoreApps>>[number];
type Options = readonly (readonly [string, string])[];

function Linked(props: {
  app: Found;
  options: Options;
  link: (storeAppId: string, appId: string) => Promise<void>;
}) {
  const { app, options } = props;
  const { name, storeAppId } = app;
  const appId = app.appId ?? '';
  if (!mayManage.value) return <>{options.find(([id]) => id === appId)?.[1]}</>;
  return (
    <Choice
      label={`${t.linked} (${name})`}
      name={`link-${storeAppId}`}
      hideLabel
      options={options}
      value={appId}
      onChange={(chosen) => void props.link(storeAppId, chosen)}
    />
  );
}

function AppTable(props: { all: readonly Found[]; refetch: () => void }) {
  const { all, refetch } = props;
  const apps = useApps();
  const error = useSignal<RequestError | null>(null);
  const link = async (storeAppId: string, appId: string) => {
    error.value = null;
    try {
      await api.linkStoreApp({ body: { storeAppId, appId: appId || null } });
    } catch (caught) {
      error.value = toRequestError(caught);
    }
    refetch();
  };
  const importApp = async (storeAppId: string) => {
    await api.importApp({ body: { storeAppId } });
    apps.refetch();
    refetch();
    return undefined;
  };
  const ours = (apps.value.data ?? []).map(({ id, displayName }) => [id, displayName] as const);
  const options: Options = [['', t.notLinked], ...ours];
  const nameOf = (appId: string | null) => ours.find(([id]) => id === appId)?.[1] ?? null;
  return (
    <>
      {error.value && <ErrorNotice error={error.value} />}
      <Table
        caption={t.apps}
        rows={all}
        keyOf={({ storeAppId }) => storeAppId}
        csvName="store-apps"
        columns={[
          { label: t.name, show: ({ name }) => name },
          { label: t.bundle, show: (app) => <code>{app.bundleId}</code>, plain: (a) => a.bundleId },
          {
            label: t.state,
            show: ({ storeState, storeVersion }) =>
              [storeState?.replaceAll('_', ' '), storeVersion].filter(Boolean).join(', '),
            plain: ({ storeState }) => storeState,
          },
          { label: t.checked, show: (app) => app.storeCheckedAt && ago(app.storeCheckedAt) },
          {
            label: t.linked,
            plain: ({ appId }) => nameOf(appId),
            show: (app) => <Linked app={app} options={options} link={link} />,
          },
          {
            label: t.make,
            show: ({ storeAppId, appId }) =>
              appId === null && (
                <ActionButton
                  button={t.import}
                  notAllowed={!mayEdit.value && texts.errors.editorsOnly}
                  act={() => importApp(storeAppId)}
                />
              ),
          },
        ]}
      />
    </>
  );
}

/** The apps of the store account: which of ours each one is, and a way to make it one. */
export function StoreApps() {
  const found = useQuery('store apps', (signal) => api.listStoreApps(undefined, { signal }));
  return (
    <section>
      <h2>{t.apps}</h2>
      <p>{t.appsWhy}</p>
      <div class="row spaced">
        <ActionButton
          button={t.refresh}
          notAllowed={!mayManage.value && texts.errors.managersOnly}
          act={async () => {
            const { count } = await api.refreshStoreApps();
            found.refetch();
            return t.found(count);
          }}
        />
      </div>
      <Loaded query={found}>
        {(all) =>
          all.length === 0 ? <p>{t.noApps}</p> : <AppTable all={all} refetch={found.refetch} />
        }
      </Loaded>
    </section>
  );
}
