import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { Confirmed } from '../../parts/confirm.tsx';
import { ErrorNotice } from '../../parts/states.tsx';
import { api, type RequestError, toRequestError } from '../../state/api.ts';
import { mayEdit } from '../../state/session.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { texts } from '../../texts/index.ts';
import type { Experiment } from './queries.ts';

type Act = { experiment: Experiment; onChange: () => void };

function Start({ experiment, onChange }: Act) {
  const error = useSignal<RequestError | null>(null);
  const isSending = useSignal(false);
  const start = async () => {
    isSending.value = true;
    error.value = null;
    try {
      const { appId, id } = experiment;
      await api.updateExperiment({ id: appId, experimentId: id, body: { status: 'running' } });
      onChange();
    } catch (caught) {
      error.value = toRequestError(caught);
    }
    isSending.value = false;
  };
  return (
    <>
      <button
        type="button"
        class="primary"
        onClick={start}
        disabled={isSending.value || !mayEdit.value}
        title={mayEdit.value ? undefined : texts.errors.editorsOnly}
      >
        {t.start}
      </button>
      {error.value && <ErrorNotice error={error.value} />}
    </>
  );
}

/** What can be done in the state that the experiment is in. */
export function Acts({ experiment, onChange }: Act) {
  const { route } = useLocation();
  const { appId, id, name, status, shipped } = experiment;
  const notAllowed = !mayEdit.value && texts.errors.editorsOnly;
  const stop = async () => {
    await api.updateExperiment({ id: appId, experimentId: id, body: { status: 'stopped' } });
    onChange();
  };
  const remove = async () => {
    await api.deleteExperiment({ id: appId, experimentId: id });
    route(`/apps/${appId}/experiments`);
  };
  return (
    <>
      {status === 'draft' && <Start experiment={experiment} onChange={onChange} />}
      {status === 'running' && (
        <Confirmed
          button={t.stop}
          title={`${t.stop} ${name}`}
          loss={t.stopLoss}
          name={name}
          notAllowed={notAllowed}
          onConfirm={stop}
        />
      )}
      {status !== 'running' && !shipped && (
        <Confirmed
          button={t.remove}
          title={`${t.remove} ${name}`}
          loss={t.removeLoss}
          name={name}
          notAllowed={notAllowed}
          onConfirm={remove}
        />
      )}
    </>
  );
}

/** Makes the onboarding of an arm the default, whatever the report says. */
export function Ship({ experiment, onChange }: Act) {
  if (experiment.status === 'draft' || experiment.shipped) return null;
  const { appId, id, arms } = experiment;
  return (
    <section>
      <div class="row">
        {arms.map((arm) => (
          <Confirmed
            key={arm.id}
            button={t.ship(arm.name)}
            title={t.ship(arm.name)}
            loss={t.shipLoss}
            name={arm.name}
            notAllowed={!mayEdit.value && texts.errors.editorsOnly}
            onConfirm={async () => {
              await api.shipExperimentArm({
                id: appId,
                experimentId: id,
                body: { armId: arm.id },
              });
              onChange();
            }}
          />
        ))}
        <span class="quiet">{t.shipWhy}</span>
      </div>
    </section>
  );
}
