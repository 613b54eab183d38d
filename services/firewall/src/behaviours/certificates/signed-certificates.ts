import { orderIntermediates, readCertificate, readUploadedText } from '../../certificates/index.ts'
import { type Behaviour, type Demand, type PreparedValues, withSettled } from '../../changes/behaviour.ts'
import type { CompiledKind } from '../../kinds/compiled-kind.ts'
import type { Content } from '../../objects/content.ts'
import { mayExportKey, readStoredCertificate } from '../../objects/stored-certificate.ts'
import { withSameKey } from './associated-key.ts'
import { factsOf } from './facts.ts'
import { readUpload, type Upload } from './read-upload.ts'
import { naming, refusalOf } from './unacceptable.ts'

const members = {
  type: 'certificate-type',
  certificate: 'signed-certificate',
  privateKey: 'certificate-key',
  password: 'certificate-password',
  intermediates: 'intermediary-certificates',
} as const

const stapling = 'certificates/ocsp-stapling'
const stapledIssuer = 'ocsp-issuer-certificate'

/** Takes certificates with their keys, or gives them the key with which their request was made. */
export function signedCertificates(deps: {
  readonly refuseName: NonNullable<Behaviour['refuseName']>
  /** The kinds whose objects have keys. */
  readonly kindsWithKeys: () => readonly CompiledKind[]
}): Behaviour {
  const { refuseName, kindsWithKeys } = deps

  async function settledUpload(demand: Demand): Promise<PreparedValues> {
    const { given, snapshot } = demand
    const name = given.get('name')
    if (name === undefined) return {}
    refuseName([String(name)], snapshot)
    const upload = await readUpload(given, members)
    // What is missing is told by the engine's checks.
    if (!upload) return {}
    return {
      ...factsOf(upload.certificate),
      'key-type': keyTypeOf(upload),
      [members.certificate]: upload.certificate.pem,
      [members.intermediates]: upload.intermediates,
      ...(upload.privateKey === undefined
        ? associatedKey(upload, demand)
        : { [members.privateKey]: upload.privateKey }),
    }
  }

  /** A key that may not be exported does not become so by being used again. */
  function associatedKey({ certificate }: Upload, { given, snapshot }: Demand): PreparedValues {
    const holder = withSameKey(certificate.pem, snapshot, kindsWithKeys())
    const privateKey = holder && readStoredCertificate(holder)?.privateKey
    if (!holder || privateKey === undefined) {
      throw refusalOf(
        members.privateKey,
        'No private key was given, and no certificate here has the key of this one. Expected was its private key, or a request that was made here.',
      )
    }
    if (given.get('allow-private-key-export') === 'Yes' && !mayExportKey(holder)) {
      throw refusalOf(
        'allow-private-key-export',
        `The private key comes from ${holder.kind.name} ${JSON.stringify(holder.name)}, which does not allow its export. Expected was No.`,
      )
    }
    return { [members.privateKey]: privateKey, 'assign-associated-key': 'Yes' }
  }

  return {
    kind: 'signed-certificate',
    refuseName,

    async prepare(demand): Promise<PreparedValues> {
      if (demand.section === stapling) return await settledIssuer(demand)
      return demand.before ? {} : await settledUpload(demand)
    },

    complete({ before, content }) {
      return before ? {} : { content: withIssuer(content) }
    },
  }
}

/** The content with another certificate of the same authority, its key and those above it. */
export function withRenewed(content: Content, upload: Upload): Content {
  const values = withSettled(content.values, {
    ...factsOf(upload.certificate),
    'key-type': keyTypeOf(upload),
    [members.certificate]: upload.certificate.pem,
    [members.intermediates]: upload.intermediates,
    [members.privateKey]: upload.privateKey,
  })
  return withIssuer({ ...content, values })
}

function keyTypeOf({ certificate: { keyType } }: Upload): string {
  if (keyType.type !== 'other') return keyType.type
  throw refusalOf(
    members.certificate,
    `The key of the certificate is of the type ${keyType.name}. Expected was RSA or ECDSA.`,
  )
}

/** The answers about a certificate are signed by whoever issued it. */
async function settledIssuer({ given, before }: Demand): Promise<PreparedValues> {
  if (!before || !given.has(stapledIssuer)) return {}
  const text = given.get(stapledIssuer)
  const stored = readStoredCertificate(before)
  if (typeof text !== 'string') return { 'issuer-certificate': nameOf(stored?.intermediates[0]) }
  const issuer = await naming(stapledIssuer, () => readCertificate(readUploadedText(text)))
  if (stored) await naming(stapledIssuer, () => orderIntermediates(stored.certificate, [issuer.pem]))
  return { 'issuer-certificate': nameOf(issuer.pem), [stapledIssuer]: issuer.pem }
}

function withIssuer(content: Content): Content {
  const [nearest] = [content.values[members.intermediates] ?? []].flat().map(String)
  const issuer = nameOf(nearest)
  if (issuer === undefined) return content
  const section = { ...content.sections[stapling], 'issuer-certificate': issuer }
  return { ...content, sections: { ...content.sections, [stapling]: section } }
}

function nameOf(pem: string | undefined): string | undefined {
  if (pem === undefined) return undefined
  const { commonName, subject } = readCertificate(pem)
  return commonName ?? subject
}
