import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { whyNotManage } from '../../state/session.ts';
import { messages as t } from '../../texts/messages.ts';
import { AddPlaceDialog, Destinations } from './destinations.tsx';
import { ToldForm } from './told.tsx';

function Managed() {
  const [adding, setAdding] = useSetting('add', '');
  const places = useQuery('digest destinations', (signal) =>
    api.listDigestDestinations(undefined, { signal }),
  );
  const atOnce = useQuery('message settings', (signal) =>
    api.getMessageSettings(undefined, { signal }),
  );
  const digest = useQuery('digest settings', (signal) =>
    api.getDigestSettings(undefined, { signal }),
  );
  return (
    <>
      <Card
        title={t.destinations}
        count={places.value.data?.length}
        flush
        actions={
          <Button compact icon={icons.add} onClick={() => setAdding('place')}>
            {t.add}
          </Button>
        }
      >
        <Loaded query={places}>
          {(all) => <Destinations all={all} refetch={places.refetch} />}
        </Loaded>
      </Card>
      <Card title={t.what} sub={t.whatWhy} class="told">
        <Loaded query={atOnce}>
          {(told) => (
            <Loaded query={digest}>
              {(morning) => (
                <ToldForm
                  atOnce={told}
                  digest={morning}
                  places={places.value.data ?? []}
                  onSaved={() => [atOnce.refetch(), digest.refetch()]}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      </Card>
      <AddPlaceDialog
        isOpen={adding === 'place'}
        onClose={() => setAdding('')}
        onAdded={places.refetch}
      />
    </>
  );
}

export function Messages() {
  return (
    <Page title={t.title} question={t.question} help="digests" notAllowed={whyNotManage.value}>
      <Managed />
    </Page>
  );
}
