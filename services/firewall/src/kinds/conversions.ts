import { splitRanges } from './address-ranges.ts'
import type { Conversion } from './field-reader.ts'
import type { Value } from './values.ts'

const bytesPerKilobyte = 1024
const secondsPerMinute = 60

/** Yes, On and Enable are all meant by fields that switch something. */
export function isOn(value: Value | undefined): boolean {
  return value === 'Yes' || value === 'On' || value === 'Enable'
}

/** Whether a field does not switch something off; one that holds nothing does not. */
export function isNotOff(value: Value | undefined): boolean {
  return value !== 'No' && value !== 'Off' && value !== 'Disable'
}

/** A number; 0 for a field that holds none. */
export function number(value: Value | undefined): number {
  return Number(value ?? 0)
}

/** A number of kilobytes, in bytes. */
export function bytesOfKilobytes(value: Value | undefined): number {
  return number(value) * bytesPerKilobyte
}

/** A number of minutes, in seconds. */
export function secondsOfMinutes(value: Value | undefined): number {
  return number(value) * secondsPerMinute
}

/** A text; empty for a field that holds none. */
export function text(value: Value | undefined): string {
  return String(value ?? '')
}

/** A list as texts; a text between whose parts there are commas, too. */
export function texts(value: Value | undefined): string[] {
  const items = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

/** Addresses, networks and ranges of them, as proxies take them. */
export function ranges(value: Value | undefined): string[] {
  return texts(value).flatMap(splitRanges)
}

/** A named value as it is; of the others that the field takes it is said that they are not enforced. */
export function oneOf(...enforced: readonly string[]): Conversion<string> {
  return Object.assign((value: Value | undefined) => text(value), { enforced })
}
