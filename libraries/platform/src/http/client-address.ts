import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * The caller's address in its one canonical spelling, so that two can be compared as texts: IPv6 compressed and
 * in lower case (RFC 5952), an IPv4 address in IPv6 clothes (::ffff:192.0.2.1) as IPv4, a link-local address without
 * the interface that it is behind (fe80::1%br-lan). Where a trusted proxy names the caller by something that is no
 * address, it is the address of that proxy.
 */
export function clientAddress(request: FastifyRequest): string {
  const { ip, ips = [ip] } = request
  const address = ips.map(withoutInterface).findLast((hop) => isIP(hop) !== 0)
  return address === undefined ? ip : ipaddr.process(address).toString()
}

/** Whom an address stands for where callers are counted: an IPv4 address for itself, an IPv6 address for its first 64 bits. */
export function networkName(address: string): string {
  if (isIP(address) !== 6) return address
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()
}

/**
 * From here on, the addresses that X-Forwarded-For names are read without the ports that some proxies add to them:
 * 192.0.2.1:4711, [2001:db8::1]:4711.
 */
export function ignoreForwardedPorts(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const forwardedFor = headers['x-forwarded-for']
    if (forwardedFor !== undefined) {
      headers['x-forwarded-for'] = String(forwardedFor).split(',').map(withoutPort).join(',')
    }
    done()
  })
}

function withoutInterface(hop: string): string {
  return /^[^%]*/.exec(hop)?.[0] ?? hop
}

function withoutPort(hop: string): string {
  return hop.trim().replace(/^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/, '$1$2')
}
