import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import * as icons from '../../parts/icons.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { whyNotEdit } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { appSettings as t } from '../../texts/app-settings.ts';

const POLL_SECONDS = 5;
const link = (url: string | null) =>
  url && (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  );

type State = Awaited<ReturnType<typeof api.getPreview>>;

const Running = ({ phase, webUrl, expoUrl, startedAt, errors, error }: State) => (
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
  </>
);

export function Preview({ appId }: { appId: string }) {
  const preview = useApi(api.getPreview, { id: appId }, { everySeconds: POLL_SECONDS });
  const notAllowed = whyNotEdit.value;
  return (
    <Card title={t.preview}>
      <Loaded query={preview}>
        {(state) =>
          state.available ? (
            <>
              <Running {...state} />
              <div class="row">
                <ActionButton
                  button={t.start}
                  notAllowed={notAllowed}
                  act={() => api.startPreview({ id: appId })}
                />
                <ActionButton
                  button={t.stop}
                  notAllowed={notAllowed}
                  act={() => api.stopPreview({ id: appId })}
                />
              </div>
            </>
          ) : (
            <Empty icon={icons.play} title={t.noPreview} text={t.noPreviewWhy} />
          )
        }
      </Loaded>
    </Card>
  );
}
