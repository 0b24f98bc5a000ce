import { useLocation, useRoute } from 'preact-iso';
import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { SettingCard } from '../../parts/setting-card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import type { App } from '../../state/place.ts';
import { whyNotEdit, whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { appSettings as t } from '../../texts/app-settings.ts';
import { Preview } from './preview.tsx';

const KEPT = ['eventDays', 'logDays', 'notificationDays'] as const;

const About = ({ app }: { app: App }) => (
  <Card title={t.about}>
    <Facts
      rows={[
        [t.name, app.displayName],
        [t.slug, <code key="slug">{app.slug}</code>],
        [t.bundle, app.bundleId ? <code key="bundle">{app.bundleId}</code> : t.noBundle],
        [t.made, when(app.createdAt)],
      ]}
    />
  </Card>
);

const Zone = ({ appId: id }: { appId: string }) => (
  <SettingCard
    title={t.zone}
    why={t.zoneWhy}
    query={useApi(api.getAppSettings, { id })}
    notAllowed={whyNotEdit.value}
    save={(fields) => api.updateAppSettings({ id, body: { timezone: fields.get('timezone') } })}
  >
    {({ timezone }) => <ZoneField label={t.zone} name="timezone" value={timezone} />}
  </SettingCard>
);

function Kept({ appId: id }: { appId: string }) {
  const kept = useApi(api.getAppRetention, { id });
  return (
    <Card title={t.kept}>
      <Loaded query={kept}>
        {(days) => <Facts rows={KEPT.map((name) => [t.keptOf[name], t.days(days[name])])} />}
      </Loaded>
    </Card>
  );
}

function Backend({ app, refetch }: { app: App; refetch: () => void }) {
  const notAllowed = whyNotEdit.value;
  const connect = (existingProjectRef?: string) =>
    api
      .connectBackend({ id: app.id, body: existingProjectRef ? { existingProjectRef } : {} })
      .then(refetch);
  return (
    <Card title={t.backend}>
      {app.backend ? (
        <Facts
          rows={[
            [t.project, <code key="ref">{app.backend.projectRef}</code>],
            [t.phase, app.backend.connected ? t.connected : t.pending],
          ]}
        />
      ) : (
        <>
          <p class="quiet">{t.noBackend}</p>
          <p class="row">
            <ActionButton button={t.create} notAllowed={notAllowed} act={() => connect()} />
          </p>
          <Form
            button={t.connect}
            notAllowed={notAllowed}
            onSubmit={(fields) => connect(fields.get('ref').trim())}
          >
            <Field label={t.ref} name="ref" hint={t.refHint} />
          </Form>
        </>
      )}
    </Card>
  );
}

function Delete({ app }: { app: App }) {
  const { route } = useLocation();
  return (
    <Card title={t.delete} class="danger-zone">
      <p>{t.deleteLoss}</p>
      <p class="row">
        <Confirmed
          button={t.delete}
          title={`${t.delete}: ${app.displayName}`}
          loss={t.deleteLoss}
          name={app.slug}
          notAllowed={whyNotManage.value}
          onConfirm={async () => {
            await api.deleteApp({ id: app.id, query: { confirm: app.slug } });
            route('/');
          }}
        />
      </p>
    </Card>
  );
}

export function AppSettings() {
  const appId = useRoute().params.id ?? '';
  const apps = useApps();
  return (
    <Page title={t.title} question={t.question} help="preview">
      <Loaded query={apps}>
        {(all) => {
          const app = all.find(({ id }) => id === appId);
          if (!app) return null;
          return (
            <>
              <div class="grid three stretch">
                <About app={app} />
                <Zone appId={appId} />
                <Kept appId={appId} />
              </div>
              <div class="grid two stretch">
                <Preview appId={appId} />
                <Backend app={app} refetch={apps.refetch} />
              </div>
              <Delete app={app} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
