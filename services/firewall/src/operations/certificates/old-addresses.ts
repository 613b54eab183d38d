import { RequestRefused } from '@palisade/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access, Permissions } from '../../access/permissions.ts'
import { certificateKinds, certificateNamed } from '../../behaviours/certificates/unique-names.ts'
import { ConfigurationRefused } from '../../failure.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { tokenOf } from '../../rest/admission.ts'
import { type Located, locateAs, refuseForbidden } from '../../rest/locate.ts'
import { type Query, refuseOtherParameters } from '../../rest/query.ts'
import { sendMembers } from '../../rest/replies.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { bodyOf, create, remove, type WriteDependencies } from '../../rest/write.ts'
import { described } from './described.ts'
import { type DownloadDependencies, sendDownload } from './download.ts'
import { uploadedMembers } from './old-form.ts'
import { oldView, presentMembers } from './old-members.ts'

/** Which kind the certificates of an upload are of. */
const kindByUpload: Readonly<Record<string, string>> = {
  signed: 'signed-certificate',
  trusted: 'trusted-ca-certificate',
  trusted_server: 'trusted-server-certificate',
}

const title = '"object":"Certificates"'

/**
 * Certificates as older clients know them: one collection of all kinds, members with underscores, uploads as forms.
 * Requests are carried out as if they had come to the certificate's own address.
 */
export function oldCertificateAddresses(
  deps: WriteDependencies & DownloadDependencies,
): readonly SpecialOperation[] {
  const { configuration, roles } = deps
  const kinds = certificateKinds(configuration)
  const permissionsOf = (request: FastifyRequest) => roles.permissionsOf(tokenOf(request).administrator)
  const mayReachSome = (access: Access) => (permissions: Permissions) =>
    kinds.some((kind) => permissions.mayReachKind(kind, undefined, access))

  function list({ request, reply }: Call): FastifyReply {
    refuseOtherParameters(request.query, [])
    const permissions = permissionsOf(request)
    const { snapshot } = configuration
    const certificates = kinds
      .filter((kind) => permissions.mayReachKind(kind, undefined, 'read'))
      .flatMap((kind) => [...(snapshot.collection(kind, []) ?? [])])
    // Clients go through the list without asking whether there is one.
    return sendMembers(
      reply,
      tokenOf(request),
      `${title},"data":${JSON.stringify(certificates.map(oldView))}`,
    )
  }

  function objectAt({ request, names }: Call, operation: Located['operation']): ConfigurationObject {
    const { name = '' } = names
    const certificate = certificateNamed(configuration.snapshot, kinds, name)
    if (!certificate) {
      throw new ConfigurationRefused({ code: 'not-found', what: `certificate ${JSON.stringify(name)}` })
    }
    const { kind, path } = certificate
    const target = { type: 'object', kind, path } as const
    refuseForbidden(permissionsOf(request), configuration.snapshot, { target, operation })
    return certificate
  }

  async function read(call: Call): Promise<FastifyReply> {
    const { request, reply } = call
    refuseOtherParameters(request.query, ['download', 'password'])
    const certificate = objectAt(call, 'read')
    const { download, password } = request.query
    if (download !== undefined) {
      const members = { 'download-type': download, 'encrypt-password': password ?? '' }
      return await sendDownload(deps, call, certificate.kind, presentMembers(Object.entries(members)))
    }
    const data = { [certificate.name]: oldView(certificate) }
    return sendMembers(reply, tokenOf(request), `${title},"data":${JSON.stringify(data)}`)
  }

  async function add({ request, reply }: Call): Promise<FastifyReply> {
    const upload = uploadIn(request.query)
    const kind = configuration.kind(
      upload === undefined ? 'self-signed-certificate' : (kindByUpload[upload] ?? ''),
    )
    const located = {
      target: { type: 'collection', kind, parentPath: [] },
      operation: 'create',
    } as const
    refuseForbidden(permissionsOf(request), configuration.snapshot, located)
    const members = upload === undefined ? Object.entries(bodyOf(request)) : await uploadedMembers(request)
    request.body = presentMembers(members)
    locateAs(request, located)
    return await create(deps, request, reply)
  }

  function takeAway(call: Call): Promise<FastifyReply> {
    const { kind, path } = objectAt(call, 'delete')
    locateAs(call.request, { target: { type: 'object', kind, path }, operation: 'delete' })
    return remove(deps, call.request, call.reply)
  }

  const path = 'certificates'
  const itemPath = 'certificates/{name}'
  return [
    {
      method: 'GET',
      path,
      mayBeDone: mayReachSome('read'),
      description: described.list,
      handle: async (call) => list(call),
    },
    { method: 'POST', path, mayBeDone: mayReachSome('write'), description: described.add, handle: add },
    {
      method: 'GET',
      path: itemPath,
      mayBeDone: mayReachSome('read'),
      description: described.read,
      handle: read,
    },
    {
      method: 'DELETE',
      path: itemPath,
      mayBeDone: mayReachSome('write'),
      description: described.remove,
      handle: takeAway,
    },
  ]
}

/** @throws RequestRefused bad-request for an upload of an unknown sort */
function uploadIn(query: Query): string | undefined {
  refuseOtherParameters(query, ['upload'])
  const { upload } = query
  if (upload === undefined) return undefined
  const name = String(upload).toLowerCase()
  if (Object.hasOwn(kindByUpload, name)) return name
  const expected = Object.keys(kindByUpload).join(', ')
  throw new RequestRefused('bad-request', `The parameter upload must be one of ${expected}.`, {
    field: 'upload',
  })
}
