import { Field } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { company as t } from '../../texts/company.ts';

function readRefusal(): string | null {
  const reason = new URLSearchParams(location.hash.slice(1)).get('refused');
  const known = Object.entries(t.refused).find(([name]) => name === reason);
  return known ? known[1] : null;
}

/** Why the company's sign-in led back. */
export function Refused() {
  const text = readRefusal();
  if (text === null) return null;
  return (
    <p class="notice" role="status">
      {text}
    </p>
  );
}

export async function joinCompany(organization: string): Promise<undefined> {
  location.assign((await api.joinCompany({ body: { organization } })).location);
}

export const ShortName = ({ value = '' }: { value?: string }) => (
  <Field
    label={t.shortName}
    name="organization"
    value={value}
    autocomplete="organization"
    maxLength={48}
  />
);
