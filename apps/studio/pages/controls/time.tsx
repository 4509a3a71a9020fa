const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const hour = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });
/** In the viewer's time zone, as all times are. */
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });

/** How long ago, with the exact time in its tooltip. */
export function Ago({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {agoText(date, Date.now())}
    </time>
  );
}

/** Day and hour, each of which stays in one piece. */
export function At({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      <span class="whole">{day.format(date)},</span> <span class="whole">{hour.format(date)}</span>
    </time>
  );
}

const MOMENT = /(\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: UTC|Z))/;

/** A sentence of the server, with its moments in the zone of the reader. */
export function Sentence({ text }: { text: string }) {
  const pieces = text.split(MOMENT);
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 0 ? (
          piece
        ) : (
          <At key={index} at={piece.replace(' UTC', 'Z').replace(' ', 'T')} />
        ),
      )}
    </>
  );
}

export function agoText(date: Date, now: number): string {
  const seconds = (date.getTime() - now) / 1_000;
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  return step ? words.format(Math.round(seconds / step[1]), step[0]) : 'just now';
}

/** A length of time in the unit that suits it. */
export function lengthText(seconds: number): string {
  if (seconds < 1) return 'under 1 s';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const numbers = new Intl.NumberFormat('en');

export const countText = (count: number): string => numbers.format(count);

export const shareText = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
