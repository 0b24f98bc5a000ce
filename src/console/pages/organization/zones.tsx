import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useQuery } from '../../state/query.ts';
import { mayEdit } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { organization as t } from '../../texts/organization.ts';

function Zone({ appId, name }: { appId: string; name: string }) {
  const settings = useQuery(`app settings ${appId}`, (signal) =>
    api.getAppSettings({ id: appId }, { signal }),
  );
  return (
    <Loaded query={settings}>
      {({ timezone }) => (
        <Form
          button={t.save}
          done={t.saved}
          notAllowed={!mayEdit.value && texts.errors.editorsOnly}
          onSubmit={async (fields) => {
            const body = { timezone: fields.get('timezone').trim() };
            await api.updateAppSettings({ id: appId, body });
            settings.refetch();
          }}
        >
          <Field label={name} name="timezone" value={timezone} maxLength={64} />
        </Form>
      )}
    </Loaded>
  );
}

/** By which zone the days of each app are cut. */
export function Zones() {
  const apps = useApps();
  if (!apps.value.data?.length) return null;
  return (
    <section>
      <h2>{t.zones}</h2>
      <p>{t.zonesWhy}</p>
      <div class="halves">
        {apps.value.data.map(({ id, displayName }) => (
          <Zone key={id} appId={id} name={displayName} />
        ))}
      </div>
    </section>
  );
}
