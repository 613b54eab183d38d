import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes a certificate for localhost that signs itself, with its key, in files of PEM in a folder, where it takes the place of the one
 * before. It is good from one day to another, counted from today.
 */
export function makeCertificate(folder: string, from: number, to: number) {
  const files = { certificateFile: join(folder, 'certificate.pem'), keyFile: join(folder, 'key.pem') }
  const authority = mkdtempSync(join(folder, 'authority-'))
  const request = join(authority, 'request.pem')
  writeFileSync(join(authority, 'index'), '')
  writeFileSync(
    join(authority, 'ca.cnf'),
    `[ca]\ndefault_ca = own\n[own]\ndatabase = ${authority}/index\nnew_certs_dir = ${authority}\n` +
      'rand_serial = yes\ndefault_md = sha256\npolicy = any\ncopy_extensions = copy\n[any]\ncommonName = supplied\n',
  )
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  openssl(
    ...['req', '-new', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', files.keyFile, '-out', request],
  )
  openssl(
    ...['ca', '-batch', '-selfsign', '-notext', '-config', join(authority, 'ca.cnf')],
    ...['-startdate', dayFromNow(from), '-enddate', dayFromNow(to)],
    ...['-keyfile', files.keyFile, '-in', request, '-out', files.certificateFile],
  )
  return files
}

/** As certificates have it. */
function dayFromNow(days: number): string {
  const at = new Date(Date.now() + days * 24 * 60 * 60_000)
  return at.toISOString().replace(/[-:T]|\.\d+/g, '')
}
