import type { Mail } from '../../../providers/mail/port.ts';

/**
 * A name that somebody chose, as it may stand in a mail of ours: on one line, and without anything
 * that a mail program makes a link of.
 */
export function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[\p{C}/\\:@<>]+/gu, ' ')
    .replaceAll(/[.。](?=\S)/g, '. ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 120);
}

/** Secrets stand behind the `#`, which browsers do not send: no log and no `Referer` has them. */
function linkTo(consoleUrl: string, path: string, fragment: Record<string, string>): string {
  return `${consoleUrl}/${path}#${new URLSearchParams(fragment)}`;
}

/** Where the invited person signs up or signs in, and accepts. */
export function invitationLink(
  consoleUrl: string,
  { secret, email }: { secret: string; email: string },
): string {
  return linkTo(consoleUrl, 'accept-invitation', { id: secret, email });
}

/** Where an account is made with the secret that an operator handed out. */
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
  /** Null where the inviter has not proved their address: it may be somebody else's. */
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
