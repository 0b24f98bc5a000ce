import { useSignal } from '@preact/signals';
import { type Fault, faultOf } from '../state/api.ts';
import { FaultNotice } from './states.tsx';

/** A button that asks the service for something, and says beside itself what came of it. */
export function Act(props: {
  button: string;
  /** Answers what to say; nothing where the page shows it. */
  act: () => Promise<string | undefined>;
  notAllowed?: string | false;
  primary?: boolean;
}) {
  const said = useSignal<string | undefined>('');
  const fault = useSignal<Fault | null>(null);
  const isAsking = useSignal(false);
  const run = async () => {
    isAsking.value = true;
    said.value = '';
    fault.value = null;
    try {
      said.value = await props.act();
    } catch (error) {
      fault.value = faultOf(error);
    }
    isAsking.value = false;
  };
  return (
    <>
      <button
        type="button"
        class={props.primary ? 'primary' : undefined}
        onClick={run}
        disabled={isAsking.value || Boolean(props.notAllowed)}
        title={props.notAllowed || undefined}
      >
        {props.button}
      </button>
      <span class="quiet" role="status">
        {said.value}
      </span>
      {fault.value && <FaultNotice fault={fault.value} />}
    </>
  );
}
