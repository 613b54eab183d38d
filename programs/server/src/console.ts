import { X509Certificate } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import serveFiles from '@fastify/static'
import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** What a page of the console may load and do: files and calls of this server alone, in no frame of anybody's. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Where the built console lies: beside the bundled command, or in the repository. */
const folders = ['./console/', '../../../clients/console/dist/site/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
)

/**
 * Serves the console at `/console/`, and leads from `/` there. The names of its scripts and styles hold a digest of what is in them, so
 * that browsers need not ask again. Every other address below `/console/` is a page, which `index.html` shows.
 *
 * @param certificate what the listener presents now, in PEM: the console puts a self-signed one into the commands that start agents
 */
export async function consoleRoutes(
  scope: FastifyInstance,
  certificate: () => string | undefined,
): Promise<void> {
  const folder = folders.find((candidate) => existsSync(join(candidate, 'index.html')))
  if (folder === undefined) return
  await scope.register(serveFiles, {
    root: folder,
    prefix: '/console/',
    serve: false,
    preCompressed: true,
    cacheControl: false,
  })
  const assets = new Set(readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`))
  const page = (reply: FastifyReply) =>
    reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('cache-control', 'no-cache')
      .sendFile('index.html')
  scope.get<{ Querystring: { host?: string } }>('/console/own-certificate.pem', (request, reply) => {
    const pem = selfSigned(certificate(), request.query.host)
    return pem === undefined ? reply.code(204).send() : reply.type('application/x-pem-file').send(pem)
  })
  scope.get('/', (_request, reply) => reply.redirect('/console/'))
  scope.get('/console/', (_request, reply) => page(reply))
  scope.get<{ Params: { '*': string } }>('/console/*', (request, reply) => {
    const path = request.params['*']
    if (path.startsWith('assets/')) {
      if (!assets.has(path)) throw new RequestRefused('not-found', 'There is no such file.')
      return reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(path)
    }
    return path === 'favicon.svg' ? reply.sendFile(path) : page(reply)
  })
}

/** What a name or an address consists of: OpenSSL fails at a NUL, or takes a name for what stands before it. */
const hostForm = /^[\w.:%-]{1,255}$/

/**
 * The certificate, without the key that may stand in the same file, where nobody trusts it who was not given it, and where it is that of the
 * host: elsewhere something stands before this server that has a certificate of its own.
 */
function selfSigned(pem: string | undefined, host: unknown): string | undefined {
  if (pem === undefined || typeof host !== 'string' || !hostForm.test(host)) return undefined
  const certificate = new X509Certificate(pem)
  const isOfHost = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  if (isOfHost === undefined || !certificate.verify(certificate.publicKey)) return undefined
  return certificate.toString()
}
