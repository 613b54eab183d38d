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

/** Of a field that says whether violations are blocked or only logged: whether they are only logged. */
export function isPassive(value: Value | undefined): boolean {
  return value !== 'Active'
}

/** A number; 0 for a field that holds none. */
export function number(value: Value | undefined): number {
  return Number(value ?? 0)
}

/**
 * A setting that proxies have been told only since a release: its type leaves it out where a snapshot is older. What a conversion gives
 * is always told.
 */
export function addedLater<Result>(convert: Conversion<Result>): Conversion<Result | undefined> {
  return convert
}

/** What a conversion gives; undefined for a field that holds nothing. */
export function ifGiven<Result>(convert: Conversion<Result>): Conversion<Result | undefined> {
  return (value) => (value === undefined || value === '' ? undefined : convert(value))
}

/** A number; undefined for a field that holds none. */
export const numberIfGiven = ifGiven(number)

/** A number; another one for a field that holds none. */
export function numberOr(otherwise: number): Conversion<number> {
  return (value) => numberIfGiven(value) ?? otherwise
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

/** A text; undefined for a field that holds none. */
export function textIfGiven(value: Value | undefined): string | undefined {
  return text(value) || undefined
}

/** A text; another one for a field that holds none. */
export function textOr(otherwise: string): Conversion<string> {
  return (value) => text(value) || otherwise
}

/** The UTF-8 of a text as a byte string, a character for each byte, which is what proxies compare. */
export function utf8Bytes(value: Value | undefined): string {
  return Buffer.from(text(value), 'utf8').toString('latin1')
}

/** A text in which some bytes are percent-encoded, as a byte string. */
export function percentDecodedBytes(value: Value | undefined): string {
  return utf8Bytes(value).replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/** A list, or the only text, as it is written. */
export function items(value: Value | undefined): string[] {
  return [value ?? []].flat().map(String)
}

/** A list as texts; a text between whose parts there are commas, too. */
export function texts(value: Value | undefined): string[] {
  const parts = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** The texts of a list in lower case; none of a member without a value. */
export function lowerCaseTexts(value: Value | undefined): string[] {
  return texts(value).map((one) => one.toLowerCase())
}

/** The texts of a list in upper case; none of a member without a value. */
export function upperCaseTexts(value: Value | undefined): string[] {
  return texts(value).map((one) => one.toUpperCase())
}

/** Addresses, networks and ranges of them, as proxies take them. */
export function ranges(value: Value | undefined): string[] {
  return texts(value).flatMap(splitRanges)
}

/** What proxies call a named value; what they are told of every other one, and of a field that holds none. */
export function byName<const Result>(
  names: Readonly<Record<string, Result>>,
  otherwise: Result,
): Conversion<Result> {
  return (value) => names[text(value)] ?? otherwise
}

/** A named value as it is; of the others that the field takes it is said that they are not enforced. */
export function oneOf(...enforced: readonly string[]): Conversion<string> {
  return Object.assign((value: Value | undefined) => text(value), { enforced })
}
