import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate and its key, PEM, each also in a file. */
export interface IssuedCertificate {
  readonly certificate: string
  readonly certificateFile: string
  readonly key: string
  readonly keyFile: string
}

/** What `openssl ca` works by. */
const settings = `[ca]
default_ca = this
[this]
dir = .
database = index.txt
serial = serial
crlnumber = crlnumber
new_certs_dir = .
certificate = authority.pem
private_key = authority.key
default_md = sha256
default_days = 99
unique_subject = no
policy = any
[any]
commonName = supplied
organizationName = optional
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[other]
basicConstraints = CA:false
authorityKeyIdentifier = keyid
[responder]
basicConstraints = CA:false
extendedKeyUsage = OCSPSigning
`

/** An authority by OpenSSL, whose certificates and lists of revoked ones are judged as anybody's. */
export class CertificateAuthority {
  readonly #folder: string
  readonly own: IssuedCertificate

  private constructor(folder: string, own: IssuedCertificate) {
    this.#folder = folder
    this.own = own
  }

  /** @param folder that is there; it gets one by the name of the authority. @param issuer above it; none for a root */
  static create(folder: string, name: string, issuer?: CertificateAuthority): CertificateAuthority {
    const place = join(folder, name)
    mkdirSync(place)
    for (const [file, text] of [
      ['openssl.cnf', settings],
      ['index.txt', ''],
      ['serial', '1001\n'],
      ['crlnumber', '01\n'],
    ] as const) {
      writeFileSync(join(place, file), text)
    }
    const own = issuer ? issuer.issue(name, 'authority') : selfSigned(place, name)
    writeFileSync(join(place, 'authority.pem'), own.certificate)
    writeFileSync(join(place, 'authority.key'), own.key)
    return new CertificateAuthority(place, own)
  }

  /** Issues a certificate to somebody. */
  issue(name: string, kind: 'authority' | 'responder' | 'other' = 'other'): IssuedCertificate {
    const [keyFile, certificateFile] = filesOf(this.#folder, name)
    const request = join(this.#folder, `${name}.csr`)
    openssl(
      this.#folder,
      'req',
      '-new',
      ...newKey,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      keyFile,
      '-out',
      request,
    )
    const ca = ['ca', '-config', 'openssl.cnf', '-batch', '-notext', '-extensions', kind]
    openssl(this.#folder, ...ca, '-in', request, '-out', certificateFile)
    return read(keyFile, certificateFile)
  }

  revoke({ certificateFile }: IssuedCertificate): void {
    openssl(this.#folder, 'ca', '-config', 'openssl.cnf', '-revoke', certificateFile)
  }

  /**
   * What a responder answers to a question, both DER (OCSP).
   *
   * @param signer whose key signs it; the authority's own by default
   */
  statusAnswer(question: Buffer, signer: IssuedCertificate = this.own): Buffer {
    const [from, to] = [join(this.#folder, 'question.der'), join(this.#folder, 'answer.der')]
    writeFileSync(from, question)
    const signing = ['-rsigner', signer.certificateFile, '-rkey', signer.keyFile, '-ndays', '1']
    openssl(
      this.#folder,
      ...['ocsp', '-index', 'index.txt', '-CA', 'authority.pem', ...signing],
      ...['-reqin', from, '-respout', to],
    )
    return readFileSync(to)
  }

  /** The list of what is revoked, PEM. @param times when it is made and when it expires, in milliseconds since 1970 */
  list({
    madeAt = Date.now() - 60_000,
    expiresAt = Date.now() + 86_400_000,
  }: {
    readonly madeAt?: number
    readonly expiresAt?: number
  } = {}): Buffer {
    const file = join(this.#folder, 'list.pem')
    const times = ['-crl_lastupdate', generalizedTime(madeAt), '-crl_nextupdate', generalizedTime(expiresAt)]
    openssl(this.#folder, 'ca', '-config', 'openssl.cnf', '-gencrl', ...times, '-out', file)
    return readFileSync(file)
  }
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

function selfSigned(folder: string, name: string): IssuedCertificate {
  const [keyFile, certificateFile] = filesOf(folder, name)
  const own = ['req', '-x509', '-config', 'openssl.cnf', '-extensions', 'authority', '-days', '99']
  openssl(folder, ...own, ...newKey, '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', certificateFile)
  return read(keyFile, certificateFile)
}

function filesOf(folder: string, name: string): [keyFile: string, certificateFile: string] {
  return [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
}

function read(keyFile: string, certificateFile: string): IssuedCertificate {
  const [key, certificate] = [keyFile, certificateFile].map((file) => readFileSync(file, 'utf8'))
  return { certificate: certificate ?? '', certificateFile, key: key ?? '', keyFile }
}

function generalizedTime(time: number): string {
  return `${new Date(time)
    .toISOString()
    .replace(/\.\d+|[-:T]/g, '')
    .slice(0, 14)}Z`
}

function openssl(folder: string, ...args: readonly string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
}
