import 'reflect-metadata'
import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { readPrivateFile } from '@palisade/private-files'
import { FileFailure, readCertificates, readNamedFile } from '@palisade/start-up'
import * as x509 from '@peculiar/x509'

/** A certificate chain and its private key, both PEM. */
export interface ServerCertificate {
  readonly cert: string
  readonly key: string
}

/** Where a certificate and its key lie, both PEM. */
export interface CertificateFiles {
  readonly certificateFile: string
  readonly keyFile: string
  /** The member of the configuration that names them, such as "firewall.certificate". */
  readonly named: string
}

const dayMs = 86_400_000
const lifetimeDays = 825

/** How long before its end a certificate is spoken of. */
export const certificateNoticeMs = 21 * dayMs

/**
 * When a certificate ends, where it has ended or will soon.
 *
 * @param now in milliseconds since 1970
 * @returns "has expired on 2026-01-31" or "expires on 2026-01-31"; undefined for one that is good for longer
 */
export function expiryOf(end: Date, now: number): string | undefined {
  if (end.getTime() - now > certificateNoticeMs) return undefined
  return `${end.getTime() <= now ? 'has expired' : 'expires'} on ${end.toISOString().slice(0, 10)}`
}

/**
 * The listener's certificate: the configured one, else a self-signed one that is made at first start and kept
 * in the data directory, so that clients that pinned it keep working. One that has expired is made anew.
 *
 * @throws FileFailure when a configured file cannot be read or is none of its kind, more users than should may read the private key
 *   or replace one of the two, or the key is that of another certificate
 */
export async function serverCertificate(
  dataDirectory: string,
  configured: CertificateFiles | undefined,
  hostNames: readonly string[],
): Promise<ServerCertificate> {
  if (configured) return readServerCertificate(configured)
  const file = join(dataDirectory, 'self-signed.pem')
  if (!existsSync(file) || hasExpired(file)) {
    writeFileSync(`${file}.new`, await makeSelfSigned(hostNames), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  const pem = readPrivateFile(file, 'owner').toString()
  return { cert: pem, key: pem }
}

/**
 * A listener's certificate as the configuration names it.
 *
 * @throws FileFailure as {@link serverCertificate} does
 */
export function readServerCertificate({
  certificateFile,
  keyFile,
  named,
}: CertificateFiles): ServerCertificate {
  const cert = readCertificates(certificateFile, `${named}.certificateFile`)
  const key = readNamedFile(keyFile, `${named}.keyFile`, 'group-reads')
  if (!new X509Certificate(cert).checkPrivateKey(privateKeyIn(key, `${named}.keyFile names ${keyFile}`))) {
    throw new FileFailure(
      `${named}.keyFile names ${keyFile}, which is not the key of the first certificate in ${certificateFile}`,
    )
  }
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FileFailure(`${named}.certificateFile names ${certificateFile}, which TLS refuses: ${reason}`)
  }
  return { cert, key }
}

function privateKeyIn(pem: string, named: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    const isLocked = /ENCRYPTED/.test(pem)
    throw new FileFailure(
      `${named}, which ${isLocked ? 'has a passphrase: take it off, since the server cannot ask for it' : 'is no private key in PEM'}`,
    )
  }
}

function hasExpired(file: string): boolean {
  return Date.parse(new X509Certificate(readFileSync(file)).validTo) < Date.now()
}

/** An ECDSA P-256 certificate for servers, followed by its PKCS#8 key. */
async function makeSelfSigned(hostNames: readonly string[]): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const now = Date.now()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: Buffer.from(webcrypto.getRandomValues(new Uint8Array(16))).toString('hex'),
    name: 'CN=Palisade',
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + lifetimeDays * dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hostNames.map((value) => ({
          type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const),
          value,
        })),
      ),
    ],
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = key.match(/.{1,64}/g) ?? []
  return `${certificate.toString('pem')}\n-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`
}
