import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnapshotTls } from '@palisade/proxy-protocol'

/** TLS with a certificate that is made for it, and HTTP/2 for those who want it. */
export function http2Tls(): SnapshotTls {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-http2-tls-'))
  const [key, pem] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  try {
    execFileSync('openssl', ['req', ...kind, '-subj', '/CN=localhost', '-keyout', key, '-out', pem], {
      stdio: 'ignore',
    })
    return {
      certificates: [{ chain: readFileSync(pem, 'utf8'), privateKey: readFileSync(key, 'utf8') }],
      domains: [],
      refusesOtherDomains: false,
      oldestVersion: 'TLSv1.2',
      newestVersion: 'TLSv1.3',
      offersHttp2: true,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
