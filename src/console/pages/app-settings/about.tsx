import { when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { api } from '../../state/api.ts';
import type { App } from '../../state/place.ts';
import { useQuery } from '../../state/query.ts';
import { whyNotEdit } from '../../state/session.ts';
import { useAppSettings } from '../../state/timezone.ts';
import { appSettings as t } from '../../texts/app-settings.ts';

const KEPT = ['eventDays', 'logDays', 'notificationDays'] as const;

export const About = ({ app }: { app: App }) => (
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

export function Zone({ appId }: { appId: string }) {
  const settings = useAppSettings(appId);
  return (
    <Card title={t.zone}>
      <p class="quiet">{t.zoneWhy}</p>
      <Loaded query={settings}>
        {({ timezone }) => (
          <Form
            button={t.save}
            done={t.saved}
            notAllowed={whyNotEdit.value}
            onSubmit={async (fields) => {
              await api.updateAppSettings({
                id: appId,
                body: { timezone: fields.get('timezone') },
              });
              settings.refetch();
            }}
          >
            <ZoneField label={t.zone} name="timezone" value={timezone} />
          </Form>
        )}
      </Loaded>
    </Card>
  );
}

export function Kept({ appId }: { appId: string }) {
  const kept = useQuery(`retention of ${appId}`, (signal) =>
    api.getAppRetention({ id: appId }, { signal }),
  );
  return (
    <Card title={t.kept}>
      <Loaded query={kept}>
        {(days) => <Facts rows={KEPT.map((name) => [t.keptOf[name], t.days(days[name])])} />}
      </Loaded>
    </Card>
  );
}
