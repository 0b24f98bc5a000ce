export const purchases = {
  title: 'Purchases',
  question: 'Do purchases arrive and entitle whom they should?',
  notBuilt: 'This app has no bundle id, so no purchase of it can be verified.',
  link: 'Link it to its app in the store',
  notifications: 'Notifications of the store',
  where:
    'In App Store Connect open the app, App Information, App Store Server Notifications. Set this address for production and for the sandbox, version 2:',
  notReachable:
    'The store reaches public https addresses only. Set the address under which the world sees this service.',
  heard: (ago: string) => `Heard ${ago}`,
  seenTest: (ago: string) => `a test ${ago}`,
  never: 'None has come yet',
  production: 'Production',
  sandbox: 'Sandbox',
  test: (environment: string) => `Ask for a test notification (${environment})`,
  asked: 'The store was asked. It arrives within a minute, if the address is right.',
  keys: 'Purchase key under Store',
  testNeeds: 'A test needs the purchase key:',
  moreThanOneKind:
    'An app that sells more than one kind (a subscription and a sticker pack) asks for the entitlement with productId, once for each product that unlocks the same. Without it one answer stands for everything that a person bought.',
  rules: 'Rules',
  ownership: 'When another user presents a purchase that somebody holds',
  ownerships: {
    transfer: 'It moves to them, three times a day at most',
    keep: 'The first one keeps it',
    share: 'Both may use it',
  },
  sandboxAccess: 'Purchases of the sandbox entitle',
  accesses: {
    anybody: 'Everybody: reviewers and testers, and whoever can install a TestFlight build',
    listed: 'The people listed below',
    nobody: 'Nobody: a reviewer of the store cannot use what they bought',
  },
  listed: 'People who may use sandbox purchases',
  listedHint: 'User ids, anonymous ids or account tokens, with commas between them.',
  forward: 'Forward notifications to',
  forwardHint:
    'Your own https address, since the store allows one only. Empty: nowhere. Signed as Standard Webhooks say, sent for three days until a 2xx.',
  secret: 'Signs what is forwarded. Shown this once:',
  save: 'Save',
  saved: 'Saved.',
} as const;
