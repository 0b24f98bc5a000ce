import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { messages as t } from '../../texts/messages.ts';
import { Destinations } from './destinations.tsx';
import { ToldForm } from './told.tsx';

function Managed() {
  const places = useApi(api.listDigestDestinations);
  const atOnce = useApi(api.getMessageSettings);
  const digest = useApi(api.getDigestSettings);
  return (
    <>
      <Destinations places={places} />
      <Card title={t.what} sub={t.whatWhy} class="told">
        <Loaded query={atOnce}>
          {(told) => (
            <Loaded query={digest}>
              {(morning) => (
                <ToldForm atOnce={told} digest={morning} places={places.value.data ?? []} />
              )}
            </Loaded>
          )}
        </Loaded>
      </Card>
    </>
  );
}

export const Messages = () => (
  <Page title={t.title} question={t.question} help="digests" notAllowed={whyNotManage.value}>
    <Managed />
  </Page>
);
