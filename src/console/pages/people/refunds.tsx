import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { Options } from '../../parts/options.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { MODES, type RefundAnswers, useRefundAnswers } from '../../state/refunds.ts';
import { whyNotManage } from '../../state/session.ts';
import { refunds as t } from '../../texts/refunds.ts';

type Own = RefundAnswers['people'][number];

const EVERYBODY = { value: '', label: t.everybody };
const MODE_OPTIONS = [EVERYBODY, ...MODES.map((value) => ({ value, label: t.modes[value] }))];
const CONSENT_OPTIONS = [
  EVERYBODY,
  ...(['yes', 'no'] as const).map((value) => ({ value, label: t.personConsents[value] })),
];

const wordOf = (consent: boolean | null | undefined): 'no' | 'yes' | null =>
  consent === true ? 'yes' : consent === false ? 'no' : null;

function sentenceOf({ answers, customersConsent }: Own): string {
  const consent = wordOf(customersConsent);
  return t.otherwise(
    [answers && t.modes[answers], consent && t.agreed[consent]].filter(Boolean).join(', '),
  );
}

/** How the store is answered about one person, where that is otherwise than about everybody. */
export function RefundsOfPerson({ appId, userId }: { appId: string; userId: string }) {
  const isOpen = useSignal(false);
  const answers = useRefundAnswers(appId);
  const close = () => {
    isOpen.value = false;
  };
  const save = async (fields: Fields) => {
    const consent = fields.get('consent');
    const body = {
      userId,
      answers: MODES.find((one) => one === fields.get('answers')) ?? null,
      customersConsent: consent === '' ? null : consent === 'yes',
    };
    await api.setRefundAnswersOfPerson({ id: appId, body });
    answers.refetch();
    close();
  };
  return (
    <Loaded query={answers}>
      {({ people }) => {
        const own = people.find((one) => one.userId === userId);
        return (
          <>
            <div class="row">
              <span>{own ? sentenceOf(own) : t.asEverybody}</span>
              <Button
                kind="ghost"
                compact
                label={t.ofPerson}
                disabledWhy={whyNotManage.value}
                onClick={() => {
                  isOpen.value = true;
                }}
              >
                {t.change}
              </Button>
            </div>
            <Dialog title={t.ofPerson} isOpen={isOpen.value} onClose={close}>
              <Form button={t.save} keep onSubmit={save} onCancel={close}>
                <Options
                  label={t.answers}
                  name="answers"
                  options={MODE_OPTIONS}
                  value={own?.answers ?? ''}
                />
                <Options
                  label={t.consentOfPerson}
                  name="consent"
                  options={CONSENT_OPTIONS}
                  value={wordOf(own?.customersConsent) ?? ''}
                />
              </Form>
            </Dialog>
          </>
        );
      }}
    </Loaded>
  );
}
