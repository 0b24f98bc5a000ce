import { useRoute } from 'preact-iso';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { api } from '../../state/api.ts';
import { secretOf } from '../../state/new-key.ts';
import { useApi } from '../../state/use-api.ts';
import { connect as t } from '../../texts/connect.ts';
import { FirstEvent, useFirstEvent } from './first-event.tsx';
import { AppKeys, NewKey } from './keys.tsx';
import { Snippet } from './snippet.tsx';

export function Connect() {
  const appId = useRoute().params.id ?? '';
  const keys = useApi(api.listPublishableKeys, { id: appId });
  const first = useFirstEvent(appId);
  const isHeard = Boolean(first.recent.value.data?.length);
  return (
    <Page title={t.title} question={t.question} help="clients" actions={<NewKey appId={appId} />}>
      <Card title={isHeard ? t.boxAgain : t.box} class="connect-box">
        <FirstEvent appId={appId} first={first} />
        <Snippet secret={secretOf(appId)} hasKey={Boolean(keys.value.data?.length)} />
      </Card>
      <AppKeys {...{ appId, keys }} />
    </Page>
  );
}
