export const secondFactor = {
  title: 'Second factor',
  why: 'A code of an authenticator app beside the password, so that a stolen password opens nothing.',
  password: 'Current password',
  begin: 'Set it up',
  scan: 'Scan this with an authenticator app.',
  qr: 'QR code for the authenticator app',
  typed: 'Or type this secret:',
  recoveryWhy:
    'Keep these recovery codes where the phone is not. Each opens once, in place of a code. They are not shown again.',
  code: 'Code',
  codeNow: 'The six digits that the app shows now.',
  codeOrRecovery: 'Six digits of the app, or a recovery code.',
  turnOn: 'Turn it on',
  isOn: (left: number) =>
    `On. ${left === 1 ? 'One recovery code is' : `${left} recovery codes are`} left.`,
  renew: 'New recovery codes',
  turnOff: 'Turn it off',
  needed: 'Set up a second factor',
  neededWhy: 'Your organization asks for one. Until it is on, nothing of the organization opens.',
  required: 'Second factor of every member',
  requiredWhy:
    'Members without one are refused at once, until they have it. Keys of servers go on.',
  isRequired: 'It is required.',
  isNotRequired: 'Optional.',
  require: 'Require for everyone',
  stop: 'Stop requiring it',
} as const;
