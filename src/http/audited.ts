import { beginAudit } from '../storage/audit.ts';
import type { Access } from './access.ts';
import type { RequestState } from './state.ts';

/** Changing methods that change nothing of the control plane. */
export const UNAUDITED: ReadonlySet<string> = new Set([
  // Sessions.
  'signIn',
  'signInWithCode',
  'signOut',
  'endCompanySessions',
  'joinCompany',
  'setActiveOrganization',
  'requestPasswordReset',
  'readInvitation',
  // Intake, logs, purchases of devices and notifications of the store.
  'sendEvents',
  'writeLog',
  'verifyPurchase',
  'signOffer',
  'receiveStoreNotification',
  'receiveStoreWebhook',
  'receivePlayNotification',
  'evaluateFlag',
  'evaluateFlags',
  // Questions.
  'answerQuestion',
  'listQuestionPeople',
  'describePeople',
  'previewSegment',
  'askSql',
  // The operator's clock.
  'syncAllSales',
]);

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const USER_AGENT_MAX = 256;

function actorOf({ caller }: RequestState) {
  if (caller?.kind === 'session') return { kind: 'user', id: caller.userId } as const;
  if (caller?.kind === 'orgKey') return { kind: 'orgKey', id: caller.keyId } as const;
  return { kind: 'visitor', id: null } as const;
}

const isOfDevice = ({ who, secret, protocol }: Access) =>
  who.includes('device') || who.includes('flagKey') || Boolean(secret ?? protocol);

export function auditRequest(
  state: RequestState,
  access: Access,
  { method, headers }: Pick<Request, 'method' | 'headers'>,
): void {
  const operation = access.operation;
  if (operation === undefined || SAFE.has(method) || isOfDevice(access)) return;
  if (UNAUDITED.has(operation)) return;
  const { caller, app, address, requestId, startedAt: at } = state;
  beginAudit({
    actor: actorOf(state),
    orgId: access.rows === 'self' ? null : (caller?.orgId ?? null),
    appId: app?.id ?? null,
    operation,
    address,
    userAgent: headers.get('user-agent')?.slice(0, USER_AGENT_MAX) ?? null,
    requestId,
    at,
    isOver: false,
    isWritten: false,
  });
}
