import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderIntermediates, readCertificates } from './index.ts'
import { certificateFamily } from './testing/certificate-family.ts'
import { openssl } from './testing/openssl.ts'

test('puts intermediates in order from leaf to root, and OpenSSL verifies them', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  certificateFamily(judge)
  const read = (file: string) => judge.read(`${file}.pem`).toString()
  const ordered = orderIntermediates(read('leaf'), [read('leaf') + read('one'), read('chain'), read('two')])
  assert.deepEqual(
    readCertificates(ordered.join('')).map(({ commonName }) => commonName),
    ['Intermediate Two', 'Intermediate One', 'Root'],
  )
  judge.write('ordered.pem', ordered.join(''))
  judge.run('verify', '-CAfile', 'root.pem', '-untrusted', 'ordered.pem', 'leaf.pem')
})

test('keeps a root that another authority has signed too', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  certificateFamily(judge)
  judge.run('x509', '-x509toreq', '-in', 'root.pem', '-signkey', 'root.key', '-out', 'root.csr')
  judge.write('ca.ext', 'basicConstraints=critical,CA:TRUE')
  judge.run(
    ...[
      'x509',
      '-req',
      '-in',
      'root.csr',
      '-CA',
      'stranger.pem',
      '-CAkey',
      'stranger.key',
      '-CAcreateserial',
    ],
    ...['-extfile', 'ca.ext', '-out', 'cross.pem'],
  )
  const read = (file: string) => judge.read(`${file}.pem`).toString()
  const ordered = orderIntermediates(read('leaf'), [read('chain'), read('stranger'), read('cross')])
  assert.deepEqual(
    readCertificates(ordered.join('')).map(({ commonName, issuer }) => [commonName, issuer]),
    [
      ['Intermediate Two', 'CN=Intermediate One'],
      ['Intermediate One', 'CN=Root'],
      ['Root', 'CN=Stranger'],
      ['Root', 'CN=Root'],
      ['Stranger', 'CN=Stranger'],
    ],
  )
})

test('names the intermediate that does not belong', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  certificateFamily(judge)
  const read = (file: string) => judge.read(`${file}.pem`).toString()
  assert.throws(() => orderIntermediates(read('leaf'), [read('two'), read('stranger')]), /"CN=Stranger"/)
  assert.throws(
    () => orderIntermediates(read('leaf'), [read('one')]),
    /"CN=Intermediate One", issued by "CN=Root"/,
  )
  assert.throws(() => orderIntermediates(read('two'), [read('leaf')]), /"CN=leaf.example.com"/)
})

test('a namesake of the issuer with another key does not belong', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  certificateFamily(judge)
  judge.run(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'false.key', '-out', 'false.pem'],
    ...['-subj', '/CN=Intermediate Two', '-addext', 'basicConstraints=critical,CA:TRUE'],
  )
  assert.throws(
    () => orderIntermediates(judge.read('leaf.pem').toString(), [judge.read('false.pem').toString()]),
    /"CN=Intermediate Two".* does not belong to the chain/,
  )
})
