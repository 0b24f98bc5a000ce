import type { Mail } from '../../../providers/mail/port.ts';
import { toIso } from '../../../shared/time.ts';

/** One line, nothing that a mail program turns into a link. */
export function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[\p{C}/\\:@<>]+/gu, ' ')
    .replaceAll(/[.。](?=\S)/g, '. ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 120);
}

/** In the fragment: in no log and no `Referer`. */
function linkTo(consoleUrl: string, path: string, fragment: Record<string, string>): string {
  return `${consoleUrl}/${path}#${new URLSearchParams(fragment)}`;
}

export function invitationLink(
  consoleUrl: string,
  { secret, email }: { secret: string; email: string },
): string {
  return linkTo(consoleUrl, 'accept-invitation', { id: secret, email });
}

export function signUpLink(
  consoleUrl: string,
  { secret, email }: { secret: string; email: string },
): string {
  return linkTo(consoleUrl, 'sign-up', { invitation: secret, email });
}

type Invitation = {
  secret: string;
  email: string;
  organizationName: string;
  /** Null for an unproved address. */
  inviterEmail: string | null;
};

export function invitationMail(consoleUrl: string, invitation: Invitation): Mail {
  const organization = plainName(invitation.organizationName);
  return {
    to: invitation.email,
    subject: `Invitation to ${organization}`,
    text: [
      invitation.inviterEmail === null
        ? `You are invited to join ${organization}.`
        : `${invitation.inviterEmail} invites you to join ${organization}.`,
      '',
      `Accept within 48 hours: ${invitationLink(consoleUrl, invitation)}`,
      '',
      'If you did not expect this, ignore it: nothing happens until you accept.',
    ].join('\n'),
  };
}

export function passwordResetMail(
  consoleUrl: string,
  reset: { email: string; token: string },
): Mail {
  return {
    to: reset.email,
    subject: 'Reset your password',
    text: [
      'Somebody, hopefully you, asked to reset the password of this account.',
      '',
      `Set a new one within an hour: ${linkTo(consoleUrl, 'reset-password', { token: reset.token })}`,
      '',
      'If it was not you, ignore this: the password stays as it is.',
    ].join('\n'),
  };
}

export function passwordChangedMail(consoleUrl: string, email: string): Mail {
  return {
    to: email,
    subject: 'Your password was changed',
    text: [
      `The password of your account at ${consoleUrl} was changed, and other sessions were ended.`,
      '',
      'If it was not you, ask whoever runs the service to reset it.',
    ].join('\n'),
  };
}

type NewDevice = {
  email: string;
  at: Date;
  address: string;
  userAgent: string | null;
  organizationName: string | null;
};

export function newDeviceMail(consoleUrl: string, device: NewDevice): Mail {
  const program = plainName(device.userAgent ?? '');
  const company = plainName(device.organizationName ?? '');
  return {
    to: device.email,
    subject: 'A new device signed in',
    text: [
      company === ''
        ? `Somebody, hopefully you, signed in to your account at ${consoleUrl} on a new device.`
        : `Somebody, hopefully you, signed in as you by the company of ${company} on a new device. That opens this organization at ${consoleUrl} and nothing else of your account.`,
      '',
      `When: ${toIso(device.at)}`,
      `Address: ${device.address}`,
      ...(program === '' ? [] : [`Program: ${program}`]),
      '',
      company === ''
        ? 'If it was not you, change your password: that ends every other session.'
        : 'If it was not you, tell its owners, or leave it under “Account”.',
    ].join('\n'),
  };
}

export function companyJoinedMail(
  consoleUrl: string,
  joined: { email: string; organizationName: string },
): Mail {
  const organization = plainName(joined.organizationName);
  return {
    to: joined.email,
    subject: `Your account joined the sign-in of ${organization}`,
    text: [
      `Somebody, hopefully you, joined your account at ${consoleUrl} to the sign-in of ${organization}. Whoever its company signs in as you is you in this organization, and nowhere else.`,
      '',
      'If it was not you, change your password, and leave the organization under “Account”.',
    ].join('\n'),
  };
}

type AccessEnded = {
  email: string;
  organizationName: string;
  person: string;
  /** Names of keys that go on. */
  keys: readonly string[];
};

export function accessEndedMail(consoleUrl: string, ended: AccessEnded): Mail {
  const organization = plainName(ended.organizationName);
  return {
    to: ended.email,
    subject: `Access to ${organization} has ended`,
    text: [
      `The sign-in provider of ${organization} says that ${ended.person} does not belong to it any more: the sessions at ${consoleUrl} and the membership have ended.`,
      '',
      ...(ended.keys.length === 0
        ? ['No key of this person is in use.']
        : [
            'Keys that this person made go on. Revoke those that nobody needs:',
            ...ended.keys.map((name) => `- ${plainName(name)}`),
          ]),
    ].join('\n'),
  };
}
