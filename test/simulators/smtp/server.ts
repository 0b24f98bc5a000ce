import type { Socket } from 'bun';

export type ReceivedMail = { from: string; to: string[]; headers: string; text: string };

export type SmtpSimulator = {
  url: string;
  mails: readonly ReceivedMail[];
  /** Resolves with the next mail to this address, or one that came already. */
  mailTo: (address: string) => Promise<ReceivedMail>;
  /** Resolves with the mail to this address that came after `earlier` others. */
  nextMailTo: (address: string, earlier: number) => Promise<ReceivedMail>;
  /** From now on every message is refused (554). */
  refuse: () => void;
  stop: () => void;
};

type Session = { buffer: string; from: string; to: string[]; inData: boolean };

function decode(text: string, headers: string): string {
  if (/quoted-printable/i.test(headers)) {
    return text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return text;
}

/** A small SMTP server: no TLS, no login, strict about the order of commands. */
export function startSmtpSimulator(): SmtpSimulator {
  const mails: ReceivedMail[] = [];
  const waiting: { address: string; resolve: (mail: ReceivedMail) => void }[] = [];
  let refusing = false;

  const receive = (session: Session, message: string) => {
    const [headers = '', ...body] = message.split('\r\n\r\n');
    const text = decode(body.join('\r\n\r\n'), headers);
    const mail = { from: session.from, to: session.to, headers, text };
    mails.push(mail);
    for (const one of waiting.filter(({ address }) => mail.to.includes(address))) one.resolve(mail);
  };

  const nextMailTo = async (address: string, earlier: number): Promise<ReceivedMail> => {
    const found = mails.filter(({ to }) => to.includes(address))[earlier];
    if (found) return found;
    await new Promise((resolve) => waiting.push({ address, resolve }));
    return nextMailTo(address, earlier);
  };

  const answerCommand = (session: Session, line: string): string => {
    const [verb = ''] = line.toUpperCase().split(/[ :]/);
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    switch (verb) {
      case 'EHLO':
      case 'HELO':
        return '250 simulator';
      case 'MAIL':
        session.from = address;
        return '250 ok';
      case 'RCPT':
        if (session.from === '') return '503 MAIL first';
        session.to.push(address);
        return '250 ok';
      case 'DATA':
        if (session.to.length === 0) return '503 RCPT first';
        if (refusing) return '554 refused';
        session.inData = true;
        return '354 go on';
      case 'RSET':
      case 'NOOP':
        return '250 ok';
      case 'QUIT':
        return '221 bye';
      default:
        return '502 unknown';
    }
  };

  const takeData = (socket: Socket<Session>, session: Session): boolean => {
    const end = session.buffer.indexOf('\r\n.\r\n');
    if (end < 0) return false;
    receive(session, session.buffer.slice(0, end).replaceAll('\r\n..', '\r\n.'));
    session.buffer = session.buffer.slice(end + 5);
    Object.assign(session, { inData: false, from: '', to: [] });
    socket.write('250 taken\r\n');
    return true;
  };

  const takeLine = (socket: Socket<Session>, session: Session): boolean => {
    const end = session.buffer.indexOf('\r\n');
    if (end < 0) return false;
    const line = session.buffer.slice(0, end);
    session.buffer = session.buffer.slice(end + 2);
    socket.write(`${answerCommand(session, line)}\r\n`);
    return true;
  };

  const server = Bun.listen<Session>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (socket) => {
        socket.data = { buffer: '', from: '', to: [], inData: false };
        socket.write('220 simulator\r\n');
      },
      data: (socket, chunk) => {
        const session = socket.data;
        session.buffer += chunk.toString('utf8');
        while (session.inData ? takeData(socket, session) : takeLine(socket, session));
      },
    },
  });

  return {
    url: `smtp://127.0.0.1:${server.port}`,
    mails,
    mailTo: (address) => {
      const known = mails.findLast(({ to }) => to.includes(address));
      if (known) return Promise.resolve(known);
      return new Promise((resolve) => waiting.push({ address, resolve }));
    },
    nextMailTo,
    refuse: () => {
      refusing = true;
    },
    stop: () => server.stop(true),
  };
}
