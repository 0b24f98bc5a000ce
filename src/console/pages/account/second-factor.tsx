import { type Signal, useSignal } from '@preact/signals';
import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { readSession } from '../../state/sign-in.ts';
import { useApi } from '../../state/use-api.ts';
import { secondFactor as t } from '../../texts/second-factor.ts';

type Made = Awaited<ReturnType<typeof api.setUpSecondFactor>>;

const PasswordAgain = () => (
  <Field label={t.password} name="password" type="password" autocomplete="current-password" />
);

const Code = ({ hint }: { hint: string }) => (
  <Field
    label={t.code}
    name="code"
    autocomplete="one-time-code"
    hint={hint}
    minLength={6}
    maxLength={64}
  />
);

const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <>
    <p>{t.recoveryWhy}</p>
    <pre class="recovery-codes">{codes.join('\n')}</pre>
  </>
);

function Begin({ made }: { made: Signal<Made | null> }) {
  return (
    <>
      <p class="quiet">{t.why}</p>
      <Form
        key="begin"
        button={t.begin}
        onSubmit={async (fields) => {
          const body = { currentPassword: fields.get('password') };
          made.value = await api.setUpSecondFactor({ body });
        }}
      >
        <PasswordAgain />
      </Form>
    </>
  );
}

function Confirm({ made, then }: { made: Made; then: () => Promise<void> }) {
  const { size, path } = made.qr;
  return (
    <>
      <p>{t.scan}</p>
      <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t.qr}>
        <path d={path} />
      </svg>
      <p class="quiet">
        {t.typed} <code>{made.secret}</code>
      </p>
      <RecoveryCodes codes={made.recoveryCodes} />
      <Form
        key="confirm"
        button={t.turnOn}
        onSubmit={async (fields) => {
          await api.confirmSecondFactor({ body: { code: fields.get('code') } });
          await then();
        }}
      >
        <Code hint={t.codeNow} />
      </Form>
    </>
  );
}

function IsOn({ left, refetch }: { left: number; refetch: () => void }) {
  const codes = useSignal<readonly string[]>([]);
  return (
    <>
      <p>{t.isOn(left)}</p>
      {codes.value.length > 0 && <RecoveryCodes codes={codes.value} />}
      <details>
        <summary>{t.renew}</summary>
        <Form
          button={t.renew}
          onSubmit={async (fields) => {
            const [currentPassword, code] = [fields.get('password'), fields.get('code')];
            const body = { currentPassword, code };
            codes.value = (await api.renewRecoveryCodes({ body })).recoveryCodes;
            refetch();
          }}
        >
          <PasswordAgain />
          <Code hint={t.codeOrRecovery} />
        </Form>
      </details>
      <details>
        <summary>{t.turnOff}</summary>
        <Form
          button={t.turnOff}
          danger
          onSubmit={async (fields) => {
            const [currentPassword, code] = [fields.get('password'), fields.get('code')];
            await api.removeSecondFactor({ body: { currentPassword, code } });
            await readSession();
            refetch();
          }}
        >
          <PasswordAgain />
          <Code hint={t.codeOrRecovery} />
        </Form>
      </details>
    </>
  );
}

export function SecondFactor() {
  const made = useSignal<Made | null>(null);
  const state = useApi(api.getSecondFactor);
  const then = async () => {
    made.value = null;
    await readSession();
    state.refetch();
  };
  return (
    <Card title={t.title}>
      <Loaded query={state}>
        {({ isOn, recoveryCodesLeft }) => {
          if (isOn) return <IsOn left={recoveryCodesLeft} refetch={state.refetch} />;
          if (made.value) return <Confirm made={made.value} then={then} />;
          return <Begin made={made} />;
        }}
      </Loaded>
    </Card>
  );
}
