import type { ComponentChildren } from 'preact';
import type { Fields } from '../../parts/form.tsx';
import { api, toRequestError } from '../../state/api.ts';

export async function makeAccount(
  fields: Fields,
  invitationId: string,
): Promise<'made' | 'exists'> {
  const [name, email, password] = [fields.get('name'), fields.get('email'), fields.get('password')];
  try {
    await api.signUp({ body: { name, email, password, ...(invitationId && { invitationId }) } });
    return 'made';
  } catch (caught) {
    if (toRequestError(caught).code === 'conflict') return 'exists';
    throw caught;
  }
}

export const Switch = (props: { children: ComponentChildren; onClick: () => void }) => (
  <p>
    <button type="button" class="ghost" onClick={props.onClick}>
      {props.children}
    </button>
  </p>
);
