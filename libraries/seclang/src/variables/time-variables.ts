import type { Inspection } from '../inspection/inspection.ts'
import { scalar, type Variable } from './variable.ts'

/** Local time, and how long the transaction has taken. */
export const timeVariables: readonly Variable[] = [
  // Microseconds, as in ModSecurity, though the clock has milliseconds.
  scalar('DURATION', 'volatile', ({ now, startedAt }) => (now() - startedAt) * 1000),
  ofTime('TIME', (time) => `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`),
  ofTime('TIME_DAY', (time) => time.getDate()),
  ofTime('TIME_EPOCH', (time) => Math.floor(time.getTime() / 1000)),
  ofTime('TIME_HOUR', (time) => time.getHours()),
  ofTime('TIME_MIN', (time) => time.getMinutes()),
  ofTime('TIME_MON', (time) => time.getMonth()),
  ofTime('TIME_SEC', (time) => time.getSeconds()),
  ofTime('TIME_WDAY', (time) => time.getDay()),
  ofTime('TIME_YEAR', (time) => time.getFullYear()),
]

function ofTime(name: string, read: (time: Date) => string | number): Variable {
  return scalar(name, 'volatile', ({ now }: Inspection) => read(new Date(now())))
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
