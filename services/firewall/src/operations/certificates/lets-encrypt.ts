import { RequestRefused } from '@palisade/platform'
import type { FastifyReply } from 'fastify'
import { refuseForbiddenPlan } from '../../access/refuse-forbidden-plan.ts'
import type { Upload } from '../../behaviours/certificates/read-upload.ts'
import { naming, refusalOf } from '../../behaviours/certificates/unacceptable.ts'
import {
  certificateKindNames,
  certificateKinds,
  refuseTakenName,
} from '../../behaviours/certificates/unique-names.ts'
import { hostName, parseAlternativeNames } from '../../certificates/index.ts'
import type { Body } from '../../changes/members.ts'
import type { Plan } from '../../changes/plan.ts'
import type { IssuingAuthority } from '../../issuance/configured-authority.ts'
import type { CompiledCatalogue } from '../../kinds/compiled-kind.ts'
import { withValues } from '../../objects/content.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { originMember } from '../../objects/stored-certificate.ts'
import { tokenOf } from '../../rest/admission.ts'
import { type PreparedChange, prepareCreation } from '../../rest/prepared-change.ts'
import { sendMessage } from '../../rest/replies.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { bodyOf, type WriteDependencies } from '../../rest/write.ts'
import { type OperationBody, readOperationBody, textOf } from '../body.ts'
import { serviceNamed } from '../called-service.ts'
import { boundTo } from './bound-to.ts'
import { described } from './described.ts'
import { letsEncryptFields } from './lets-encrypt-fields.ts'

/** What obtaining certificates works with. */
export interface LetsEncryptDependencies extends WriteDependencies {
  readonly catalogue: CompiledCatalogue
  /** Its authority is undefined while the configuration names none. */
  readonly authority: { readonly current: IssuingAuthority | undefined }
}

const [uploadedKind] = certificateKindNames

/**
 * `POST certificates/letsencrypt`: obtains a certificate by ACME (RFC 8555), from whichever authority the configuration names. Ends when
 * it is there, and bound where that was asked for.
 */
export function letsEncrypt(deps: LetsEncryptDependencies): SpecialOperation {
  const kind = deps.configuration.kind(uploadedKind)
  return {
    method: 'POST',
    path: 'certificates/letsencrypt',
    mayBeDone: (permissions) => permissions.mayReachKind(kind, undefined, 'write'),
    description: described.letsEncrypt,
    handle: (call) => obtain(deps, call),
  }
}

async function obtain(deps: LetsEncryptDependencies, call: Call): Promise<FastifyReply> {
  const { configuration } = deps
  authorityOf(deps)
  const request = readOperationBody(bodyOf(call.request), letsEncryptFields, 'a certificate to be obtained')
  const name = textOf(request.name)
  const hosts = await naming('san-cert', () => hostsOf(request))
  refuseTakenName(configuration.snapshot, certificateKinds(configuration), name)
  const service = textOf(request['multi-cert-trusted-service'])
  if (service !== '') serviceNamed(deps, service, call.author, 'write')
  const { issuance, directory } = authorityOf(deps)
  await issuance.obtain(name, hosts, (upload) => keep(deps, call, request, upload, directory))
  if (service !== '') await bind(deps, call, service, name, hosts)
  return sendMessage(call.reply.code(201), tokenOf(call.request), { id: name, msg: 'Successfully created.' })
}

/** The one that the configuration names now. @throws RequestRefused bad-request when it names none */
function authorityOf({ authority }: LetsEncryptDependencies): IssuingAuthority {
  if (authority.current !== undefined) return authority.current
  throw new RequestRefused(
    'bad-request',
    'Certificates are obtained by ACME from the authority that firewall.acme.directory names in the configuration file, and it names none.',
  )
}

/** The hosts in ASCII and lower case, each once. @throws CertificateUnreadable or ConfigurationRefused for what is none */
function hostsOf(request: OperationBody): string[] {
  const commonName = hostName(textOf(request['common-name']).trim().replace(/^DNS:/i, ''))
  if (commonName === undefined) {
    throw refusalOf(
      'common-name',
      'It is no host. Expected was one such as www.example.com, or *.example.com.',
    )
  }
  const others = parseAlternativeNames([request['san-cert'] ?? []].flat().map(String))
  const foreign = others.find(({ type }) => type !== 'dns')
  if (foreign !== undefined) {
    throw refusalOf('san-cert', `${JSON.stringify(foreign.value)} is no host. Expected were hosts alone.`)
  }
  return [...new Set([commonName, ...others.map(({ value }) => value)].map((host) => host.toLowerCase()))]
}

async function keep(
  deps: LetsEncryptDependencies,
  { author }: Call,
  request: OperationBody,
  { certificate, privateKey, intermediates }: Upload,
  directory: string,
): Promise<void> {
  const { configuration } = deps
  const memberNames = ['name', 'auto-renew-cert', 'schedule-renewal-day', 'allow-private-key-export'] as const
  const members: Body = {
    ...Object.fromEntries(
      memberNames.flatMap((member) => (request[member] === undefined ? [] : [[member, request[member]]])),
    ),
    'signed-certificate': certificate.pem,
    'certificate-key': privateKey,
    'intermediary-certificates': intermediates,
  }
  const target = { type: 'collection', kind: configuration.kind(uploadedKind), parentPath: [] } as const
  const creation = await prepareCreation(deps, configuration.snapshot, target, members)
  await change(deps, author, (newest, permissions) => withOrigin(creation(newest, permissions), directory))
}

/** Says of the certificate where it comes from, which no client can. */
function withOrigin(plan: Plan, directory: string): Plan {
  const writes = plan.writes.map((write) => {
    const { kind, content } = write
    if (kind !== plan.object.kind || content === undefined) return write
    return {
      ...write,
      content: withValues(content, undefined, { ...content.values, [originMember]: directory }),
    }
  })
  return { ...plan, writes }
}

/** Lists of the service are made anew where somebody else has changed it meanwhile. */
async function bind(
  deps: LetsEncryptDependencies,
  { author }: Call,
  service: string,
  name: string,
  hosts: readonly string[],
): Promise<void> {
  for (let isBound = false; !isBound; ) {
    const object = serviceNamed(deps, service, author, 'write')
    const { kind, path, content } = object
    const prepared = await boundTo(deps, object, name, hosts)
    await change(deps, author, (newest, permissions) => {
      isBound = newest.object(kind, path)?.content === content
      return isBound
        ? prepared(newest, permissions)
        : { action: 'update', object: { kind, path }, writes: [], changes: [] }
    })
  }
}

function change(
  { configuration, roles }: LetsEncryptDependencies,
  author: Call['author'],
  prepared: PreparedChange,
): Promise<Plan> {
  return configuration.change(author, (snapshot: Snapshot) => {
    const permissions = roles.permissionsOf(author)
    const plan = prepared(snapshot, permissions)
    refuseForbiddenPlan(permissions, snapshot, plan, author.address)
    return plan
  })
}
