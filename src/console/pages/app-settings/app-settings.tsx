import { useLocation, useRoute } from 'preact-iso';
import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useQuery } from '../../state/query.ts';
import { mayEdit, mayManage } from '../../state/session.ts';
import { appSettings as t } from '../../texts/app-settings.ts';
import { texts } from '../../texts/index.ts';

const POLL_SECONDS = 5;
const link = (url: string | null) =>
  url && (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  );

/** The app as its code runs it, for looking at it before it is built. */
function Preview({ appId }: { appId: string }) {
  const preview = useQuery(
    `preview ${appId}`,
    (signal) => api.getPreview({ id: appId }, { signal }),
    { everySeconds: POLL_SECONDS },
  );
  const notAllowed = !mayEdit.value && texts.errors.editorsOnly;
  const act = async (asked: Promise<unknown>) => {
    await asked;
    preview.refetch();
    return undefined;
  };
  return (
    <section>
      <h2>{t.preview}</h2>
      <Loaded query={preview}>
        {({ available, phase, webUrl, expoUrl, startedAt, errors, error }) =>
          available ? (
            <>
              <Facts
                rows={[
                  [t.phase, <strong key="phase">{t.phases[phase]}</strong>],
                  [t.since, startedAt && when(startedAt)],
                  [t.web, link(webUrl)],
                  [t.phone, expoUrl && <code key="phone">{expoUrl}</code>],
                ]}
              />
              {error && <pre class="wrapped">{error}</pre>}
              {errors.length > 0 && (
                <>
                  <p>{t.errors}</p>
                  <pre class="wrapped">{errors.join('\n')}</pre>
                </>
              )}
              <div class="row">
                <ActionButton
                  button={t.start}
                  notAllowed={notAllowed}
                  act={() => act(api.startPreview({ id: appId }))}
                />
                <ActionButton
                  button={t.stop}
                  notAllowed={notAllowed}
                  act={() => act(api.stopPreview({ id: appId }))}
                />
              </div>
            </>
          ) : (
            <p>{t.noPreview}</p>
          )
        }
      </Loaded>
    </section>
  );
}

type App = Awaited<ReturnType<typeof api.listApps>>[number];

function Backend({ app, refetch }: { app: App; refetch: () => void }) {
  const notAllowed = !mayEdit.value && texts.errors.editorsOnly;
  const connect = async (existingProjectRef?: string) => {
    await api.connectBackend({
      id: app.id,
      body: existingProjectRef ? { existingProjectRef } : {},
    });
    refetch();
    return undefined;
  };
  return (
    <section>
      <h2>{t.backend}</h2>
      {app.backend ? (
        <Facts
          rows={[
            [t.project, <code key="ref">{app.backend.projectRef}</code>],
            [t.phase, app.backend.connected ? t.connected : t.pending],
          ]}
        />
      ) : (
        <>
          <p>{t.noBackend}</p>
          <p class="row">
            <ActionButton button={t.create} notAllowed={notAllowed} act={() => connect()} />
          </p>
          <Form
            button={t.connect}
            notAllowed={notAllowed}
            onSubmit={(fields) => connect(fields.get('ref').trim())}
          >
            <Field label={t.ref} name="ref" hint={t.refHint} autocomplete="off" />
          </Form>
        </>
      )}
    </section>
  );
}

export function AppSettings() {
  const appId = useRoute().params.id ?? '';
  const { route } = useLocation();
  const apps = useApps();
  return (
    <Page title={t.title} question={t.question} help="preview">
      <Preview appId={appId} />
      <Loaded query={apps}>
        {(all) => {
          const app = all.find(({ id }) => id === appId);
          if (!app) return null;
          return (
            <>
              <Backend app={app} refetch={apps.refetch} />
              <h2>{t.delete}</h2>
              <p>{t.deleteLoss}</p>
              <Confirmed
                button={t.delete}
                title={`${t.delete}: ${app.displayName}`}
                loss={t.deleteLoss}
                name={app.slug}
                notAllowed={!mayManage.value && texts.errors.managersOnly}
                onConfirm={async () => {
                  await api.deleteApp({ id: appId, query: { confirm: app.slug } });
                  apps.refetch();
                  route('/');
                }}
              />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
