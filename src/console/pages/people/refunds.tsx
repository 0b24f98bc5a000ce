import { FormDialog, useOpening } from '../../parts/form-dialog.tsx';
import type { Fields } from '../../parts/form.tsx';
import { Options } from '../../parts/options.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { MODES, type RefundAnswers, useRefundAnswers } from '../../state/refunds.ts';
import { whyNotManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
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

export function RefundsOfPerson({ appId: id, userId }: { appId: string; userId: string }) {
  const answers = useRefundAnswers(id);
  const opening = useOpening();
  const save = async (fields: Fields) => {
    const consent = fields.get('consent');
    const body = {
      userId,
      answers: MODES.find((one) => one === fields.get('answers')) ?? null,
      customersConsent: consent === '' ? null : consent === 'yes',
    };
    await api.setRefundAnswersOfPerson({ id, body });
  };
  return (
    <Loaded query={answers}>
      {({ people }) => {
        const own = people.find((one) => one.userId === userId);
        return (
          <div class="row">
            <span>{own ? sentenceOf(own) : t.asEverybody}</span>
            <FormDialog
              button={t.entry.change}
              title={t.ofPerson}
              submit={texts.save}
              kind="ghost"
              opening={opening}
              notAllowed={whyNotManage.value}
              send={save}
            >
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
            </FormDialog>
          </div>
        );
      }}
    </Loaded>
  );
}
