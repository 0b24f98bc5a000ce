import { useSignal } from '@preact/signals';
import type { Flag } from '../../../../clients/api/src/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { mayEdit } from '../../state/session.ts';
import { flags as t } from '../../texts/flags.ts';
import { texts } from '../../texts/index.ts';

export function Switch({ flag, refetch }: { flag: Flag; refetch: () => void }) {
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
  };
  const { id, appId, key, isOn, version, offVariant } = flag;
  const act = isOn ? t.switchOff : t.switchOn;
  const title = t.named(act, key);
  const turn = async (why: string) => {
    const body = { isOn: !isOn, version, ...(why && { why }) };
    await api.updateFlag({ id: appId, flagId: id, body });
    close();
    refetch();
  };
  return (
    <>
      <Button
        compact
        label={title}
        disabledWhy={!mayEdit.value && texts.errors.editorsOnly}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {act}
      </Button>
      <Dialog title={title} isOpen={isOpen.value} onClose={close}>
        <p>{isOn ? t.offMeans(offVariant) : t.onMeans}</p>
        <Form
          button={act}
          danger={isOn}
          onCancel={close}
          onSubmit={(fields) => turn(fields.get('why').trim())}
        >
          <Field label={t.why} name="why" maxLength={500} optional />
        </Form>
      </Dialog>
    </>
  );
}
