const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** So many bytes in the largest unit that gives a number of at least one. */
export function bytesText(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const format = new Intl.NumberFormat('en', {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumFractionDigits: step < 2 ? 0 : 1,
  })
  return format.format(bytes / 1000 ** step)
}

/** So many seconds in the two largest units. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts = [
    [Math.floor(whole / 86_400), 'day'],
    [Math.floor(whole / 3600) % 24, 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first < 0 ? 3 : first, first < 0 ? 4 : first + 2)
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, unit]) =>
      new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count),
    )
    .join(' ')
}

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
const second = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })

/** A moment in the time zone of the browser. @param at ISO 8601, or milliseconds since 1970 */
export function momentText(at: string | number): string {
  return moment.format(new Date(at))
}

/** The same to the second. */
export function secondText(at: string | number): string {
  return second.format(new Date(at))
}

/** A sentence of the server as people read it: moments in the time zone of the browser, large numbers of bytes in larger units. */
export function sentenceText(sentence: string): string {
  return sentence
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, momentText)
    .replaceAll(/\b(\d[\d,]{4,}) bytes\b/g, (_, bytes: string) =>
      bytesText(Number(bytes.replaceAll(',', ''))),
    )
}
