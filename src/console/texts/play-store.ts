export const playStore = {
  title: 'Google Play purchases',
  why: 'Checks purchases of an Android app, acknowledges them, and hears of refunds.',
  app: 'App',
  steps: [
    'In Google Cloud make a service account and a JSON key of it. Enable the Google Play Android Developer API in its project.',
    'In Play Console open Users and permissions, invite the e-mail address of the account, and give it “View financial data” and “Manage orders and subscriptions”.',
    'Wait: permissions take up to 36 hours.',
  ],
  open: 'Open Users and permissions',
  package: 'Package name',
  packageHint: 'As in Play Console, such as com.example.focus.',
  file: 'JSON key file of the service account',
  noFile: 'Choose the JSON key file.',
  push: 'Account that signs notifications',
  pushHint:
    'The service account of the Pub/Sub push subscription. Without it no notification is taken; purchases are then looked at after each end, refunds every hour.',
  account: 'Service account',
  address: 'Address of notifications',
  addressWhy:
    'In Google Cloud make a push subscription with this address, which is its audience too, and authentication by the account above. Name its topic in Play Console under Monetization setup.',
  heard: 'Last notification',
  tested: 'Last test',
  nothing: 'nothing yet',
  check: 'Check now',
  checked: 'Google Play accepts the key.',
  invalid: 'Google Play refuses this key',
  loss: 'The key is destroyed here. Purchases and entitlements stay, and age without it. A purchase that is not acknowledged within three days is refunded by Google.',
  advice: {
    store_credentials_rejected: 'Make a new JSON key of the account and choose its file.',
    store_role_missing: 'Right after the invitation this can take up to 36 hours. Try again then.',
    store_app_not_found:
      'Compare the package name with Play Console. An app that was never uploaded is unknown too.',
    store_rate_limited: 'The key may be fine. Wait a minute and press Connect again.',
    store_unavailable: 'The key may be fine. Press Connect again in a few minutes.',
    secret_storage_unavailable: 'Whoever runs this service has to set SECRETS_KEY.',
  },
} as const;

export const playReports = {
  title: 'Google Play reports',
  why: 'Sales, earnings and installs of the whole account, from the reports in Play Console.',
  steps: [
    'In Google Cloud make a service account and a JSON key of it; the one of an app below will do too.',
    'In Play Console open Users and permissions, invite the e-mail address of the account, and give it “View app information and download bulk reports” and “View financial data” for the whole account.',
    'Open Download reports in Play Console and copy the Cloud Storage URI.',
    'Wait: permissions take up to 36 hours.',
  ],
  bucket: 'Cloud Storage URI',
  bucketHint: 'As Play Console copies it, such as gs://pubsite_prod_01234567890987654321/.',
  next: 'Next look',
  read: 'Read now',
  reading: 'Reading goes on in the background.',
  loss: 'The key is destroyed here, and no report is read any more. Sales that were read stay.',
} as const;
