import { type Signal, useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { download } from '../../parts/download.ts';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { PersonLink, personPath } from '../../parts/person-link.tsx';
import { Loaded, SkeletonCard } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { mayEdit, whyNotEdit, whyNotManage } from '../../state/session.ts';
import { useTimezone } from '../../state/timezone.ts';
import { people as t } from '../../texts/people.ts';
import { visible } from '../../visible.ts';
import { PersonCard } from './card.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import { Grants } from './grants.tsx';
import {
  type Customer,
  type Person,
  readPerson,
  useCustomer,
  useExperimentNames,
  usePerson,
} from './queries.ts';
import { RefundsOfPerson } from './refunds.tsx';
import { Timeline } from './timeline.tsx';

async function saveExport(appId: string, personId: string): Promise<void> {
  const { isWhole: _, ...person } = await readPerson(appId, personId, {
    maxPages: Number.POSITIVE_INFINITY,
  });
  const text = JSON.stringify(person, null, 2);
  download('person.json', new Blob([text], { type: 'application/json' }));
}

const isDevice = (personId: string, { events, ...person }: Person): boolean =>
  person.personId !== personId ||
  (person.anonymousIds.length === 0 &&
    events.length > 0 &&
    events.every(({ userId }) => userId !== personId));

const isTransaction = (id: string, customer: Customer | null): boolean =>
  (customer?.purchases ?? []).some(
    ({ originalTransactionId, transactions }) =>
      originalTransactionId === id || transactions.some((one) => one.transactionId === id),
  );

function granteeOf(personId: string, person: Person, customer: Customer | null) {
  if (isDevice(personId, person)) return { anonymousId: personId };
  if (isTransaction(personId, customer)) return { originalTransactionId: personId };
  const holders = (customer?.purchases ?? []).flatMap((purchase) => purchase.holders);
  const isHolder = holders.some(({ kind, id }) => kind === 'anonymous' && id === personId);
  return isHolder ? { anonymousId: personId } : { userId: personId };
}

function Whose(props: { appId: string; asked: string; person: Person; customer: Customer | null }) {
  const { appId, asked, person, customer } = props;
  const { route, query } = useLocation();
  const { personId, events, records } = person;
  const isUnknown = personId === asked && events.length + records.length === 0;
  const all = (customer?.purchases ?? []).flatMap((purchase) =>
    purchase.holders.filter(({ kind, id }) => kind !== 'token' && id !== asked),
  );
  const holders = [...new Map(all.map((one) => [one.id, one])).values()];
  const [holder, another] = isUnknown && isTransaction(asked, customer) ? holders : [];
  const owner = personId === asked ? another === undefined && holder?.id : personId;
  useEffect(() => {
    if (owner) route(personPath(appId, owner, query.by ?? asked), true);
  }, [owner]);
  if (!isUnknown) {
    const { by } = query;
    return by ? <p class="chip">{t.foundBy(visible(by))}</p> : null;
  }
  if (holders.length > 0) {
    return (
      <p class="notice">
        {t.transactionOf}{' '}
        {holders.map(({ id }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <PersonLink appId={appId} personId={id} />
          </span>
        ))}
        .
      </p>
    );
  }
  return customer === null ? <p class="notice">{t.unknown}</p> : null;
}

function Known(props: {
  appId: string;
  personId: string;
  person: Person;
  isGranting: boolean;
  closeGrant: () => void;
}) {
  const { appId, personId, person } = props;
  const zone = useTimezone(appId);
  const customer = useCustomer(appId, personId);
  const experiments = useExperimentNames(appId);
  return (
    <Loaded query={customer} skeleton={<PersonSkeleton />}>
      {(found) => {
        const known = { person, customer: found, experiments, zone };
        const own = (found?.purchases ?? []).flatMap(({ productId }) => productId ?? []);
        return (
          <>
            <Whose appId={appId} asked={personId} person={person} customer={found} />
            <div class="person">
              <PersonCard
                {...known}
                appId={appId}
                grants={<Grants appId={appId} grants={found?.grants ?? []} zone={zone} />}
                refunds={
                  (found?.purchases ?? []).length > 0 &&
                  !isDevice(personId, person) && <RefundsOfPerson appId={appId} userId={personId} />
                }
              />
              <Timeline {...known} />
            </div>
            <GrantDialog
              appId={appId}
              personId={personId}
              grantee={granteeOf(personId, person, found)}
              own={own}
              zone={zone}
              isOpen={props.isGranting}
              onClose={props.closeGrant}
            />
          </>
        );
      }}
    </Loaded>
  );
}

const PersonSkeleton = () => (
  <div class="person">
    <SkeletonCard class="person-skeleton" count={6} />
    <SkeletonCard class="person-skeleton" count={8} />
  </div>
);

function Acts(props: {
  appId: string;
  personId: string;
  person: Person | undefined;
  isErased: Signal<boolean>;
  onGrant: () => void;
}) {
  const { appId, personId, person, isErased } = props;
  const erase = async () => {
    await api.erasePerson({ id: appId, personId });
    isErased.value = true;
  };
  return (
    <div class="person-acts">
      <ActionButton
        kind="ghost"
        icon={icons.download}
        button={t.export}
        act={() => saveExport(appId, personId)}
      />
      <Confirmed
        button={t.erase}
        title={t.eraseTitle(visible(personId))}
        loss={t.eraseLoss(person?.events.length ?? 0, person?.anonymousIds.length ?? 0)}
        name={visible(personId)}
        notAllowed={whyNotManage.value}
        onConfirm={erase}
      />
      <Button
        kind="primary"
        icon={icons.add}
        onClick={props.onGrant}
        disabledWhy={whyNotEdit.value}
      >
        {t.grant}
      </Button>
    </div>
  );
}

export function PersonPage() {
  const { params, query } = useRoute();
  // Of an earlier release, with the id in its path.
  const [appId = '', personId = ''] = [params.id, query.id ?? params.personId];
  return <OnePerson key={personId} appId={appId} personId={personId} />;
}

function OnePerson({ appId, personId }: { appId: string; personId: string }) {
  const person = usePerson(appId, personId);
  const zone = useTimezone(appId);
  const isErased = useSignal(false);
  const [granting, setGranting] = useSetting('add', '');
  const { data } = person.value;
  return (
    <Page
      title={visible(personId)}
      help="console#people"
      actions={
        !isErased.value && (
          <Acts
            appId={appId}
            personId={personId}
            person={data}
            isErased={isErased}
            onGrant={() => setGranting('grant')}
          />
        )
      }
      foot={[
        t.foot.zone(zone),
        ...(data && !isErased.value ? [t.eventCount(data.events.length)] : []),
        t.noWebhooks,
      ]}
    >
      {isErased.value ? (
        <p class="notice" role="status">
          {t.erased}
        </p>
      ) : (
        <Loaded query={person} skeleton={<PersonSkeleton />}>
          {(found) => (
            <Known
              key={personId}
              appId={appId}
              personId={personId}
              person={found}
              isGranting={granting === 'grant' && mayEdit.value}
              closeGrant={() => setGranting('')}
            />
          )}
        </Loaded>
      )}
    </Page>
  );
}
