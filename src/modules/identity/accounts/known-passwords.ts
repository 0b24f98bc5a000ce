import { invalidInput } from '../../../shared/errors.ts';

/** Without appended digits and signs. */
const STEMS = new Set(
  `password passw0rd p@ssw0rd p@ssword passwort pa55word pa55w0rd motdepasse contrasena contraseña senha
  wachtwoord password1 passpass mypassword yourpassword thepassword newpassword oldpassword
  masterpassword adminpassword defaultpassword testpassword rootpassword userpassword temppassword
  changeme changemenow changeit changethis pleasechange letmein letmeinnow letmeinplease welcome
  welcomehome welcomeback welcometo administrator admin adminadmin superadmin sysadmin root rootroot toor
  superuser poweruser testuser testtest testing testtesttest test demo demodemo guest guestguest user username
  default secret secretsecret topsecret mysecret supersecret verysecret trustno trustnoone
  qwerty qwertyuiop qwertyuio qwertyui qwertz qwertzuiop azerty azertyuiop asdfghjkl asdfgh asdf asdfasdf
  zxcvbnm zxcvbn qazwsx qazwsxedc qazwsxedcrfv wsxedc edcrfv qweasd qweasdzxc qweqwe qweqweqwe asdasd asdasdasd
  zxczxc qwerasdf qwerasdfzxcv qwertyasdf qwertyqwerty asdfqwer asdfjkl poiuytrewq lkjhgfdsa mnbvcxz
  abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijkl abcabc abcabcabc aabbcc abcd abc
  iloveyou iloveu iloveyousomuch iloveme ilovemyself ilovejesus ilovegod loveyou loveme lovelove love mylove
  truelove babygirl babyboy sweetheart sweetie princess beautiful butterfly sunshine sunflower rainbow
  chocolate strawberry blueberry pineapple watermelon coffee cookie cupcake
  football footballer baseball basketball volleyball softball hockey soccer tennis golf swimming
  liverpool liverpoolfc manchester manchesterunited arsenal arsenalfc chelsea chelseafc barcelona realmadrid
  juventus bayernmunich cowboys steelers yankees lakers
  superman batman spiderman ironman wonderwoman wolverine starwars startrek skywalker darthvader
  pokemon pikachu charizard nintendo playstation minecraft fortnite roblox callofduty counterstrike
  metallica nirvana slipknot eminem greenday linkinpark blinkonetwo
  monkey dragon dragonball tigger tiger lion eagle falcon panther dolphin elephant shadow shadow hunter
  killer ninja samurai warrior wizard phoenix thunder lightning storm winter summer spring autumn
  january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday
  michael jennifer jessica jordan michelle nicole daniel ashley charlie andrew matthew joshua anthony william
  christopher elizabeth alexander alexandra samantha stephanie christian christina victoria benjamin
  jesus jesuschrist jesusislord jesussaves christ godisgood godislove heaven angel angels blessed faith hope
  whatever nothing something anything everything fuckyou fuckoff fuckthis asshole bitch bullshit
  computer internet keyboard laptop windows microsoft google facebook instagram youtube apple iphone samsung
  samsunggalaxy android linux ubuntu debian database postgres mysql oracle server serverroom cisco company
  business marketing manager office corporate employee
  mercedes ferrari porsche lamborghini mustang corvette harley harleydavidson yamaha honda toyota
  america australia england germany deutschland france canada mexico brasil argentina india pakistan
  london newyork newyorkcity losangeles california texas florida chicago paris berlin
  hello helloworld hellohello hellokitty hi goodbye goodluck goodmorning goodnight happy happyday happybirthday
  freedom forever family friend friends bestfriend bestfriends mother father brother sister grandma
  correcthorse correcthorsebatterystaple opensesame abracadabra access accessdenied enter letmepass login
  money dollar dollars million millionaire lucky luckyseven number numberone cheese pepper ginger silver golden
  purple orange yellow diamond crystal merlin matrix master mustangs maverick jackass biteme
  controlplane mobilecontrolplane`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const ROWS = ['1234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm'];
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
const RUNS = [...ROWS, ALPHABET].flatMap((run) => {
  const twice = run + run;
  return [twice, [...twice].toReversed().join('')];
});
const LONGEST_PERIOD = 4;

const keepLetters = (text: string) => text.replaceAll(/[^\p{L}]/gu, '');
const withoutEnds = (text: string) => text.replaceAll(/^[^\p{L}@$]+|[^\p{L}@$]+$/gu, '');

/** Also repeated, and two in a row. */
function isWord(text: string): boolean {
  const [, once = text] = /^(.+?)\1+$/.exec(text) ?? [];
  if (STEMS.has(once)) return true;
  return [...text].some((_, at) => STEMS.has(text.slice(0, at)) && STEMS.has(text.slice(at)));
}

/** `aaaaaaaaaa`, `1212121212`, `abcabcabcabc`. */
function repeats(text: string): boolean {
  for (let period = 1; period <= LONGEST_PERIOD; period += 1) {
    const unit = text.slice(0, period);
    if (unit.repeat(Math.ceil(text.length / period)).slice(0, text.length) === text) return true;
  }
  return false;
}

function followsKeys(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    let length = Math.min(text.length - at, 20);
    while (length >= 4 && !RUNS.some((run) => run.includes(text.slice(at, at + length))))
      length -= 1;
    if (length < 4) return false;
    at += length;
  }
  return true;
}

export type PasswordOwner = { email: string; name?: string | undefined };

function isOwn(text: string, { email, name = '' }: PasswordOwner): boolean {
  const address = email.toLowerCase();
  const [local = ''] = address.split('@');
  const letters = keepLetters(text);
  const own = [local, address, name.toLowerCase()]
    .map(keepLetters)
    .filter(({ length }) => length >= 3);
  return text === address || text === local || own.includes(letters);
}

export function isKnownPassword(password: string, owner: PasswordOwner): boolean {
  const text = password.normalize('NFKC').toLowerCase().trim();
  const stem = withoutEnds(text);
  const plain = stem.replaceAll('@', 'a').replaceAll('$', 's').replaceAll('0', 'o');
  return (
    [stem, plain, keepLetters(text)].some(isWord) ||
    (keepLetters(text) === '' && /^\d+$/.test(text)) ||
    repeats(text) ||
    followsKeys(text) ||
    isOwn(text, owner)
  );
}

export function refuseKnownPassword(field: string, password: string, owner: PasswordOwner): void {
  if (!isKnownPassword(password, owner)) return;
  throw invalidInput(
    field,
    'is among the first that anybody tries, or is your own address or name; choose another',
  );
}
