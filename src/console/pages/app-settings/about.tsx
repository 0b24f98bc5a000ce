import { when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { SettingCard } from '../../parts/setting-card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { api } from '../../state/api.ts';
import type { App } from '../../state/place.ts';
import { whyNotEdit } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
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

export const Zone = ({ appId: id }: { appId: string }) => (
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

export function Kept({ appId: id }: { appId: string }) {
  const kept = useApi(api.getAppRetention, { id });
  return (
    <Card title={t.kept}>
      <Loaded query={kept}>
        {(days) => <Facts rows={KEPT.map((name) => [t.keptOf[name], t.days(days[name])])} />}
      </Loaded>
    </Card>
  );
}
