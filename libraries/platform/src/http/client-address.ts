import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * The caller's address in its one canonical spelling, so that two can be compared as texts: IPv6 compressed and
 * in lower case (RFC 5952), an IPv4 address in IPv6 clothes (::ffff:192.0.2.1) as IPv4. What a trusted proxy
 * calls the caller without it being an address is left as it is.
 */
export function clientAddress(request: FastifyRequest): string {
  const { ip } = request
  return isIP(ip) === 0 ? ip : ipaddr.process(ip).toString()
}
