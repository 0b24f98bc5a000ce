import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { ErrorNotice } from '../../parts/states.tsx';
import { api, type RequestError, toRequestError } from '../../state/api.ts';
import { whyNotEdit } from '../../state/session.ts';
import { turn } from '../../state/signals.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { texts } from '../../texts/index.ts';
import { type Experiment, isOfFlags, type Report } from './queries.ts';

type Props = { experiment: Experiment; report: Report | undefined; onChange: () => void };

type Act = {
  key: string;
  title: string;
  loss: string;
  name: string;
  says?: { text: string; isWarning: boolean } | undefined;
  isDanger?: boolean;
  run: () => Promise<unknown>;
};

function Start({ experiment, onChange }: Omit<Props, 'report'>) {
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
      <Button
        kind="primary"
        icon={icons.play}
        onClick={start}
        busy={isSending.value}
        disabledWhy={whyNotEdit.value}
      >
        {t.start}
      </Button>
      {error.value && <ErrorNotice error={error.value} />}
    </>
  );
}

function ActDialog({ act, onClose }: { act: Act | null; onClose: () => void }) {
  return (
    <Dialog title={act?.title ?? ''} isOpen={act !== null} onClose={onClose}>
      {act && (
        <>
          {act.says && (
            <p class={act.says.isWarning ? 'notice warn' : 'notice good'}>{act.says.text}</p>
          )}
          <p>{act.loss}</p>
          <Form
            button={act.title}
            danger={act.isDanger ?? false}
            onCancel={onClose}
            onSubmit={async (fields) => {
              if (fields.get('confirmation').trim() !== act.name) {
                throw new Error(texts.confirm.wrong(act.name));
              }
              await act.run();
              onClose();
            }}
          >
            <Field label={texts.confirm.type(act.name)} name="confirmation" autocomplete="off" />
          </Form>
        </>
      )}
    </Dialog>
  );
}

function shipActs({ experiment, report, onChange }: Props): Act[] {
  const { appId, id, arms, status, shipped } = experiment;
  if (status === 'draft' || shipped) return [];
  const answer = report?.answer;
  return arms.map((arm) => {
    const isAhead = answer?.verdict === 'ahead' && answer.armId === arm.id;
    return {
      key: arm.id,
      title: t.ship(arm.name),
      loss: isOfFlags(experiment) ? t.shipLossOfFlags : t.shipLoss,
      name: arm.name,
      says: answer && {
        text: isAhead ? answer.text : t.shipAgainst(answer.text, arm.name),
        isWarning: !isAhead,
      },
      run: async () => {
        await api.shipExperimentArm({ id: appId, experimentId: id, body: { armId: arm.id } });
        onChange();
      },
    };
  });
}

function useActs(props: Props): { ships: Act[]; others: Act[] } {
  const { route } = useLocation();
  const { experiment, report, onChange } = props;
  const { appId, id, name, status, shipped } = experiment;
  const stop: Act = {
    key: 'stop',
    title: t.stop,
    loss: isOfFlags(experiment) ? t.stopLossOfFlags : t.stopLoss,
    name,
    says: report?.answer && {
      text: report.answer.text,
      isWarning: report.answer.verdict === 'not_decided',
    },
    isDanger: true,
    run: async () => {
      await api.updateExperiment({ id: appId, experimentId: id, body: { status: 'stopped' } });
      onChange();
    },
  };
  const remove: Act = {
    key: 'delete',
    title: t.remove,
    loss: t.removeLoss,
    name,
    isDanger: true,
    run: async () => {
      await api.deleteExperiment({ id: appId, experimentId: id });
      route(`/apps/${appId}/experiments`);
    },
  };
  return {
    ships: shipActs(props),
    others: [
      ...(status === 'running' ? [stop] : []),
      ...(status !== 'running' && !shipped ? [remove] : []),
    ],
  };
}

/** Shipping is one button once it is decided. */
export function Acts(props: Props) {
  const { experiment, report, onChange } = props;
  const open = useSignal<Act | null>(null);
  const { ships, others } = useActs(props);
  const leader = report?.answer?.verdict === 'ahead' ? report.answer.armId : null;
  const primary = ships.find(({ key }) => key === leader);
  const show = (act: Act) => {
    open.value = act;
  };
  const items = [...ships.filter((act) => act !== primary), ...others].map(
    (act, index): MenuItem => ({
      key: act.key,
      label: act.title,
      startsGroup: index > 0 && index === ships.length - (primary ? 1 : 0),
      onSelect: () => show(act),
      disabledWhy: whyNotEdit.value,
    }),
  );
  return (
    <>
      {experiment.status === 'draft' && <Start experiment={experiment} onChange={onChange} />}
      {items.length > 0 && (
        <Menu
          label={t.moreActs}
          placement="bottom-end"
          button={(trigger) => (
            <button {...trigger} class="plain">
              {t.moreActs}
              <icons.open aria-hidden class="small" />
            </button>
          )}
          items={items}
        />
      )}
      {primary && (
        <Button kind="primary" onClick={() => show(primary)} disabledWhy={whyNotEdit.value}>
          {t.shipLeader}
        </Button>
      )}
      <ActDialog act={open.value} onClose={turn(open, null)} />
    </>
  );
}
