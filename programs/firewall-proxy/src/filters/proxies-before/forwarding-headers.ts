/**
 * Headers in which proxies say what they know of a client: its address, and by which scheme, host, port and path it came. Whoever is no
 * proxy can write what he likes into them. Besides these: all names that begin with `x-forwarded-`.
 */
const ofProxies: ReadonlySet<string> = new Set([
  'cf-connecting-ip',
  'fastly-client-ip',
  'forwarded',
  'front-end-https',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-host',
  'x-original-forwarded-for',
  'x-original-host',
  'x-original-url',
  'x-real-ip',
  'x-rewrite-url',
  'x-url-scheme',
])

/** @param lowerName in lower case */
export function isForwardingHeader(lowerName: string): boolean {
  return lowerName.startsWith('x-forwarded-') || ofProxies.has(lowerName)
}
