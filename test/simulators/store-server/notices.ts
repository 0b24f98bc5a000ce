import { randomUUID } from 'node:crypto';
import { type NotificationPayload, notificationPayload, type SimEnvironment } from './payloads.ts';

/** The customer's download of an app, as the store's library reads it: `appTransaction.json`. */
export type AppTransactionPayload = {
  receiptType: SimEnvironment;
  /** The sandbox knows no app of the store. */
  appAppleId?: number;
  bundleId: string;
  applicationVersion: string;
  versionExternalIdentifier: number;
  receiptCreationDate: number;
  originalPurchaseDate: number;
  originalApplicationVersion: string;
  deviceVerification: string;
  deviceVerificationNonce: string;
  appTransactionId: string;
  originalPlatform: 'iOS';
};

export type AppOfNotice = {
  environment: SimEnvironment;
  bundleId: string;
  appAppleId: number;
};

let customers = 704_895_312_000_000_000n;
export const nextAppTransactionId = () => String(customers++);

function referenceOf({ environment, bundleId, appAppleId }: AppOfNotice) {
  if (bundleId === '' || !Number.isSafeInteger(appAppleId)) throw new Error('No app of the store.');
  return { bundleId, ...(environment === 'Production' ? { appAppleId } : {}) };
}

export function appTransactionPayload(
  app: AppOfNotice,
  appTransactionId: string,
  now: number,
): AppTransactionPayload {
  if (!/^\d{5,20}$/.test(appTransactionId)) throw new Error('No id of an app transaction.');
  return {
    receiptType: app.environment,
    ...referenceOf(app),
    applicationVersion: '1.2.3',
    versionExternalIdentifier: 512,
    receiptCreationDate: now,
    originalPurchaseDate: now - 86_400_000,
    originalApplicationVersion: '1.1.2',
    deviceVerification: 'device_verification_value',
    deviceVerificationNonce: '48ccfa42-7431-4f22-9908-7e88983e105a',
    appTransactionId,
    originalPlatform: 'iOS',
  };
}

/** `signedRescindConsentNotification.json`: no transaction, only the app and who downloaded it. */
export function rescindConsent(
  app: AppOfNotice,
  signedAppTransactionInfo: string,
  signedDate: number,
): NotificationPayload {
  const { environment } = app;
  return notificationPayload({
    notificationType: 'RESCIND_CONSENT',
    appData: { ...referenceOf(app), environment, signedAppTransactionInfo },
    signedDate,
  });
}

/** `signedExternalPurchaseToken(Sandbox)Notification.json`: its id says which environment it is of. */
export function unreportedToken(app: AppOfNotice, signedDate: number): NotificationPayload {
  const id = randomUUID();
  const { appAppleId, bundleId } = app;
  return notificationPayload({
    notificationType: 'EXTERNAL_PURCHASE_TOKEN',
    subtype: 'UNREPORTED',
    externalPurchaseToken: {
      externalPurchaseId: app.environment === 'Sandbox' ? `SANDBOX_${id}` : id,
      tokenCreationDate: signedDate - 10 * 86_400_000,
      appAppleId,
      bundleId,
    },
    signedDate,
  });
}
