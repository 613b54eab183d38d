import { headerValues } from './headers.ts'

/** Headers by which a request asks many applications to take it for one with another method. */
const overridingHeaders = ['x-http-method-override', 'x-http-method', 'x-method-override']

/** The methods that a request asks for by its headers. @param headers names and values in turn */
export function overridingMethods(headers: readonly string[]): string[] {
  return overridingHeaders
    .flatMap((name) => headerValues(headers, name))
    .map((value) => value.trim())
    .filter((method) => method !== '')
}
