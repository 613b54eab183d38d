/**
 * The certificate that a server has signed itself, in PEM, for a computer that has no reason to trust it; undefined where the server has
 * another, or something else answers at this address.
 *
 * @param server where the services are, such as https://palisade.example.org:8444
 * @param call sends a request to a path at the server
 */
export async function readOwnCertificate(
  server: string,
  call: (path: string) => Promise<Response>,
): Promise<string | undefined> {
  const { protocol, hostname } = new URL(server)
  if (protocol !== 'https:') return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  const reply = await call(`/console/own-certificate.pem?host=${encodeURIComponent(host)}`)
  const text = reply.status === 200 ? await reply.text() : ''
  // What stands before a server may answer with a page of its own.
  return text.includes('-----BEGIN CERTIFICATE-----') ? text : undefined
}
