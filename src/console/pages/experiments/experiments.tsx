import { useLocation, useRoute } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useExperiments } from '../../state/experiments.ts';
import { mayEdit, whyNotEdit } from '../../state/session.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { type Draft, DraftForm } from './draft.tsx';
import { All } from './list.tsx';
import { Onboardings } from './onboardings.tsx';
import { useOnboardings } from './queries.ts';

function New({ appId }: { appId: string }) {
  const { route } = useLocation();
  const onboardings = useOnboardings(appId);
  const create = async ({ layer, ...draft }: Draft) => {
    const body = { ...draft, ...(layer && { layer }) };
    const made = await api.createExperiment({ id: appId, body });
    route(`/apps/${appId}/experiments/${made.id}`);
  };
  return (
    <>
      <p>{t.draftWhy}</p>
      <Loaded query={onboardings}>
        {(all) => <DraftForm appId={appId} onboardings={all} onSave={create} />}
      </Loaded>
    </>
  );
}

export function Experiments() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const experiments = useExperiments(appId);
  const [adding, setAdding] = useSetting('add', '');
  const add = () => setAdding('experiment');
  return (
    <Page
      title={t.title}
      question={t.question}
      help="experiments"
      actions={
        <Button kind="primary" icon={icons.add} onClick={add} disabledWhy={whyNotEdit.value}>
          {t.add}
        </Button>
      }
      foot={[t.oneAtATime, t.resultMeaning]}
    >
      <All experiments={experiments} onAdd={add} />
      <Onboardings appId={appId} />
      <Dialog
        title={t.add}
        isWide
        isOpen={adding === 'experiment' && mayEdit.value}
        onClose={() => setAdding('')}
      >
        <New appId={appId} />
      </Dialog>
    </Page>
  );
}
