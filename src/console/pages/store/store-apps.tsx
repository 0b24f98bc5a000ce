import { useSignal } from '@preact/signals';
import { ago } from '../../format.ts';
import { Act } from '../../parts/act.tsx';
import { Choice } from '../../parts/form.tsx';
import { Answered, FaultNotice } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api, type Fault, faultOf } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useQuestion } from '../../state/question.ts';
import { mayEdit, mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';

const t = texts.store;
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

function AppTable(props: { all: readonly Found[]; again: () => void }) {
  const { all, again } = props;
  const apps = useApps();
  const fault = useSignal<Fault | null>(null);
  const link = async (storeAppId: string, appId: string) => {
    fault.value = null;
    try {
      await api.linkStoreApp({ body: { storeAppId, appId: appId || null } });
    } catch (error) {
      fault.value = faultOf(error);
    }
    again();
  };
  const importApp = async (storeAppId: string) => {
    await api.importApp({ body: { storeAppId } });
    apps.again();
    again();
    return undefined;
  };
  const ours = (apps.value.answer ?? []).map(({ id, displayName }) => [id, displayName] as const);
  const options: Options = [['', t.notLinked], ...ours];
  const nameOf = (appId: string | null) => ours.find(([id]) => id === appId)?.[1] ?? null;
  return (
    <>
      {fault.value && <FaultNotice fault={fault.value} />}
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
                <Act
                  button={t.import}
                  notAllowed={!mayEdit.value && texts.faults.editorsOnly}
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
  const found = useQuestion('store apps', (signal) => api.listStoreApps(undefined, { signal }));
  return (
    <section>
      <h2>{t.apps}</h2>
      <p>{t.appsWhy}</p>
      <div class="row spaced">
        <Act
          button={t.refresh}
          notAllowed={!mayManage.value && texts.faults.managersOnly}
          act={async () => {
            const { count } = await api.refreshStoreApps();
            found.again();
            return t.found(count);
          }}
        />
      </div>
      <Answered asked={found.value} again={found.again}>
        {(all) =>
          all.length === 0 ? <p>{t.noApps}</p> : <AppTable all={all} again={found.again} />
        }
      </Answered>
    </section>
  );
}
