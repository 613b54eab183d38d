import { createSecureContext } from 'node:tls'
import { makeSelfSigned } from '../../certificates/index.ts'
import type { Behaviour, Demand, PreparedValues } from '../../changes/behaviour.ts'
import { mergeMembers } from '../../changes/members.ts'
import { fieldsOf } from '../../changes/problems.ts'
import { text } from '../../kinds/conversions.ts'
import { sameValue, type Values } from '../../kinds/values.ts'
import { valuesOf } from '../../objects/content.ts'
import { type ManagementCertificate, selfSignedSection, trustedSection } from './management-certificate.ts'
import { readUpload } from './read-upload.ts'
import { validityStart } from './self-signed-certificates.ts'
import { naming, refusalOf } from './unacceptable.ts'

const members = {
  type: 'certificate-type',
  certificate: 'signed-certificate',
  privateKey: 'private-key',
  password: 'certificate-password',
  intermediates: 'certificate-chain-bundle',
} as const

/** The certificates between which the management's own listeners choose, checked as they will be used. */
export function managementCertificates({ now }: { readonly now: () => number }): Behaviour {
  return {
    kind: 'system',

    async prepare(demand): Promise<PreparedValues> {
      if (demand.section === selfSignedSection) return await newSelfSigned(demand, now())
      if (demand.section === trustedSection) return await uploaded(demand)
      return {}
    },
  }
}

/** Another certificate is made whenever it is to say something else. */
async function newSelfSigned({ before, given, kind, section }: Demand, now: number): Promise<PreparedValues> {
  const values = before ? valuesOf(before.content, section) : {}
  const fields = fieldsOf(kind, section)
  const request = mergeMembers(values, { values: given, problems: [] }, fields)
  if (Array.from(given.keys()).every((name) => sameValue(values[name], request[name]))) return {}
  if (request['common-name'] === undefined) {
    throw refusalOf('common-name', 'It is missing. Expected was the host at which the management is reached.')
  }
  if (request['key-size'] === '512') throw refusalOf('key-size', tooSmall)
  const selfSigned = await naming('common-name', () =>
    makeSelfSigned({ ...requestOf(request), notBefore: validityStart(now) }),
  )
  const certificate = { cert: selfSigned.certificatePem, key: selfSigned.privateKeyPem }
  refuseUnusable('key-size', certificate)
  return { certificate: certificate.cert, 'private-key': certificate.key }
}

const tooSmall = 'TLS does not take a key of this size here. Expected were at least 2048 bits.'

function requestOf(values: Values) {
  return {
    commonName: text(values['common-name']),
    countryCode: text(values.country),
    state: text(values.state),
    city: text(values.city),
    organizationName: text(values.organization),
    organizationalUnit: text(values['organization-unit']),
    key: { type: 'RSA', bits: Number(values['key-size']) as 1024 | 2048 | 4096 },
    validityDays: Number(values['certificate-expiration']),
  } as const
}

/** All of it comes at once, since a key without its certificate is of no use. */
async function uploaded({ given }: Demand): Promise<PreparedValues> {
  if (given.size === 0) return {}
  const upload = await readUpload(given, members)
  if (!upload) throw refusalOf(members.certificate, 'It is missing. Expected was the certificate.')
  const { certificate, privateKey, intermediates } = upload
  if (privateKey === undefined) {
    throw refusalOf(members.privateKey, 'It is missing. Expected was the private key of the certificate.')
  }
  const chain = intermediates.join('')
  refuseUnusable(members.certificate, { cert: certificate.pem + chain, key: privateKey })
  return {
    [members.certificate]: certificate.pem,
    [members.privateKey]: privateKey,
    [members.intermediates]: chain === '' ? undefined : chain,
  }
}

/** A server that cannot use its certificate would not start any more. */
function refuseUnusable(member: string, { cert, key }: ManagementCertificate): void {
  try {
    createSecureContext({ cert, key })
  } catch {
    // OpenSSL's own words are about its functions, not about the certificate.
    throw refusalOf(member, tooSmall)
  }
}
