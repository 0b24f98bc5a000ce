import { useSignal } from '@preact/signals';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { dayOf } from '../../state/days.ts';
import { into } from '../../state/signals.ts';
import { people as t } from '../../texts/people.ts';
import { endOfDayIn } from './dates.ts';
import { useKnownProducts } from './queries.ts';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const MONTH_DAYS = 30;
const OTHER = '';
const LENGTHS = ['week', 'month', 'day', 'forever'] as const;
type Length = (typeof LENGTHS)[number];

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

function endOf(length: Length, fields: Fields, zone: string): string | null {
  if (length === 'forever') return null;
  if (length === 'day') return endOfDayIn(fields.get('until'), zone);
  return inDays(length === 'week' ? WEEK_DAYS : MONTH_DAYS);
}

/** One that the app never had is a slip, as a rule. */
function OtherProduct({ known }: { known: ReadonlySet<string> }) {
  const typed = useSignal('');
  const isNew = typed.value.trim() !== '' && !known.has(typed.value.trim());
  const read = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.name === 'other') typed.value = target.value;
  };
  return (
    <div onInput={read}>
      <Field label={t.grantProduct} name="other" maxLength={256} />
      {isNew && (
        <div class="notice warn">
          <p>{t.neverSeen(typed.value.trim())}</p>
          <label>
            <input type="checkbox" name="sure" required /> {t.allTheSame}
          </label>
        </div>
      )}
    </div>
  );
}

const NAME = 'name ';

function Products({ appId, own }: { appId: string; own: readonly string[] }) {
  const chosen = useSignal<string | null>(null);
  const products = useKnownProducts(appId, true);
  return (
    <Loaded query={products}>
      {(found) => {
        const known = [...new Set([...own, ...found.products])];
        const options = [
          ...found.names.map((name) => [`${NAME}${name}`, t.byName(name)] as const),
          ...known.map((product) => [product, product] as const),
          [OTHER, t.otherProduct] as const,
        ];
        const value = chosen.value ?? options[0]?.[0] ?? OTHER;
        return (
          <>
            <Choice
              label={t.product}
              name="productId"
              options={options}
              value={value}
              onChange={into(chosen)}
            />
            {value === OTHER && <OtherProduct known={new Set(known)} />}
          </>
        );
      }}
    </Loaded>
  );
}

type Grantee = { userId: string } | { anonymousId: string } | { originalTransactionId: string };

export function GrantDialog(props: {
  appId: string;
  personId: string;
  grantee: Grantee;
  own: readonly string[];
  zone: string;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { appId, personId, zone, onClose } = props;
  const length = useSignal<Length>('week');
  const grant = async (fields: Fields) => {
    const chosen = fields.get('productId');
    const body = {
      ...props.grantee,
      ...(chosen.startsWith(NAME)
        ? { entitlement: chosen.slice(NAME.length) }
        : { productId: chosen || fields.get('other').trim() }),
      expiresAt: endOf(length.value, fields, zone),
      note: fields.get('note') || null,
    };
    await api.grantEntitlement({ id: appId, body });
    onClose();
  };
  return (
    <Dialog title={t.grantTo(personId)} isOpen={props.isOpen} onClose={onClose}>
      <p>{t.grantWhy}</p>
      <Form button={t.grant} onSubmit={grant} onCancel={onClose}>
        <Products appId={appId} own={props.own} />
        <div class="field">
          <span class="label" aria-hidden="true">
            {t.grantFor}
          </span>
          <Segmented
            label={t.grantFor}
            options={LENGTHS.map((one) => [one, t.lengths[one]] as const)}
            value={length.value}
            onChange={into(length)}
          />
        </div>
        {length.value === 'day' && (
          <Field
            label={t.grantUntil}
            name="until"
            type="date"
            hint={t.grantUntilHint(zone)}
            value={dayOf(Date.now() + WEEK_DAYS * DAY_MS, zone)}
          />
        )}
        <Field label={t.note} name="note" hint={t.noteHint} optional />
      </Form>
    </Dialog>
  );
}
