import { useRoute } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { secretOf } from '../../state/new-key.ts';
import { useQuery } from '../../state/query.ts';
import { mayEdit, whyNotEdit } from '../../state/session.ts';
import { connect as t } from '../../texts/connect.ts';
import { FirstEvent, useFirstEvent } from './first-event.tsx';
import { AppKeys } from './keys.tsx';
import { NewKeyDialog } from './new-key.tsx';
import { Snippet } from './snippet.tsx';

export function Connect() {
  const appId = useRoute().params.id ?? '';
  const [adding, setAdding] = useSetting('add', '');
  const keys = useQuery(`app keys ${appId}`, (signal) =>
    api.listPublishableKeys({ id: appId }, { signal }),
  );
  const first = useFirstEvent(appId);
  const isHeard = Boolean(first.recent.value.data?.length);
  return (
    <Page
      title={t.title}
      question={t.question}
      help="clients"
      actions={
        <Button
          kind="primary"
          icon={icons.add}
          onClick={() => setAdding('key')}
          disabledWhy={whyNotEdit.value}
        >
          {t.createKey}
        </Button>
      }
    >
      <Card title={isHeard ? t.boxAgain : t.box} class="connect-box">
        <FirstEvent appId={appId} first={first} />
        <Snippet secret={secretOf(appId)} hasKey={Boolean(keys.value.data?.length)} />
      </Card>
      <AppKeys appId={appId} keys={keys} />
      <NewKeyDialog
        appId={appId}
        isOpen={adding === 'key' && mayEdit.value}
        onClose={() => setAdding('')}
        onMade={keys.refetch}
      />
    </Page>
  );
}
