/**
 * Headers in which proxies say what they know of a client: its address, its certificate, and by which scheme, host, port and path it
 * came. Whoever is no proxy can write what he likes into them. Besides these: whole families of names.
 */
const ofProxies: ReadonlySet<string> = new Set([
  'cf-connecting-ip',
  // RFC 9440, section 2.4
  'client-cert',
  'client-cert-chain',
  'fastly-client-ip',
  'forwarded',
  'front-end-https',
  'true-client-ip',
  'x-arr-clientcert',
  'x-client-cert',
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

/** What the names of families of such headers begin with. */
const families = ['x-forwarded-', 'ssl-client-', 'x-ssl-client-', 'x-client-cert-']

/** @param lowerName in lower case */
export function isForwardingHeader(lowerName: string): boolean {
  return ofProxies.has(lowerName) || families.some((beginning) => lowerName.startsWith(beginning))
}
