import { headerValues } from '../../exchange/headers.ts'

/**
 * Whether a client wants gzip at least as much as no compression (RFC 9110, section 12.5.3). Without the header it is not known to
 * understand any.
 *
 * @param headers of the request, names and values in turn
 */
export function takesGzip(headers: readonly string[]): boolean {
  const weights = new Map<string, number>()
  for (const part of headerValues(headers, 'accept-encoding').join(',').split(',')) {
    const [coding = '', ...parameters] = part.split(';')
    if (coding.trim() !== '') weights.set(coding.trim().toLowerCase(), weightOf(parameters))
  }
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}

/** 1 without one; 0 for one that is no number. */
function weightOf(parameters: readonly string[]): number {
  const quality = parameters.find((one) => /^\s*q\s*=/i.test(one))
  if (quality === undefined) return 1
  const weight = quality.slice(quality.indexOf('=') + 1).trim()
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
}
