import type { Openssl } from './openssl.ts'

/**
 * Has OpenSSL make Root, Intermediate One, Intermediate Two and leaf.example.com, each issued by the one before, and a
 * Stranger that is its own root: `{root,one,two,leaf,stranger}.{pem,key}`, and `chain.pem` with the first three out
 * of order.
 *
 * @param leafKey what `openssl req -newkey` is given for the leaf
 */
export function certificateFamily(
  judge: Openssl,
  leafKey: readonly string[] = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
): void {
  const authority = ['-addext', 'basicConstraints=critical,CA:TRUE']
  const server = ['-addext', 'basicConstraints=CA:FALSE', '-addext', 'subjectAltName=DNS:leaf.example.com']
  const authorityKey = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  const make = (file: string, name: string, key: readonly string[], ...more: readonly string[]) =>
    judge.run(
      ...['req', '-x509', '-newkey', ...key, '-nodes', '-keyout', `${file}.key`, '-out', `${file}.pem`],
      ...['-subj', `/CN=${name}`, '-days', '30', ...more],
    )
  const by = (issuer: string) => ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`]
  make('root', 'Root', authorityKey, ...authority)
  make('one', 'Intermediate One', authorityKey, ...authority, ...by('root'))
  make('two', 'Intermediate Two', authorityKey, ...authority, ...by('one'))
  make('leaf', 'leaf.example.com', leafKey, ...server, ...by('two'))
  make('stranger', 'Stranger', authorityKey, ...authority)
  judge.write('chain.pem', Buffer.concat(['root', 'two', 'one'].map((file) => judge.read(`${file}.pem`))))
}
