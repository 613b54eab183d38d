import type { FastifyRequest } from 'fastify'

/** The caller's address, with an IPv4 address in IPv6 clothes (::ffff:192.0.2.1) written as IPv4. */
export function clientAddress(request: FastifyRequest): string {
  return request.ip.replace(/^::ffff:(?=\d+\.)/i, '')
}
