import type { FastifyReply } from 'fastify'
import type { Roles } from '../../access/roles.ts'
import { certificateKinds } from '../../behaviours/certificates/unique-names.ts'
import { downloadWithKey } from '../../catalogue/certificates/downloads.ts'
import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import type { Body } from '../../changes/members.ts'
import type { CompiledKind } from '../../kinds/compiled-kind.ts'
import { FieldSet } from '../../kinds/field-set.ts'
import type { AuditLog } from '../../logs/audit-log.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { tokenOf } from '../../rest/admission.ts'
import { objectAt, refuseForbidden } from '../../rest/locate.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { bodyOf } from '../../rest/write.ts'
import { administratorOf, readOperationBody } from '../body.ts'
import { type DownloadRequest, exportedFile } from './exported-file.ts'

/** What downloads work with. */
export interface DownloadDependencies {
  readonly configuration: LiveConfiguration
  readonly roles: Roles
  readonly audit: AuditLog
}

const fields = new FieldSet(
  {
    ...downloadWithKey,
    'download-type': { ...downloadWithKey['download-type'], required: true },
  },
  'download',
)

/**
 * `PUT {certificate}?operation=download` at each address of each kind of certificates. Who may not change a
 * certificate gets no files of it, since they may hold its key.
 */
export function downloads(deps: DownloadDependencies): readonly SpecialOperation[] {
  return certificateKinds(deps.configuration).flatMap((kind) =>
    [kind.segments, ...kind.segmentsElsewhere].map((segments): SpecialOperation => {
      return {
        method: 'PUT',
        path: [...segments, '{name}'].join('/'),
        when: { parameter: 'operation', value: 'download' },
        mayBeDone: (permissions) => permissions.mayReachKind(kind, undefined, 'write'),
        handle: (call) => sendDownload(deps, call, kind, bodyOf(call.request)),
      }
    }),
  )
}

/**
 * Answers with a file of the certificate that the call names.
 *
 * @param body the members download-type and encrypt-password
 * @throws RequestRefused forbidden
 * @throws ConfigurationRefused not-found or not-acceptable
 */
export async function sendDownload(
  { configuration, roles, audit }: DownloadDependencies,
  call: Call,
  kind: CompiledKind,
  body: Body,
): Promise<FastifyReply> {
  const { request, reply } = call
  const { name = '' } = call.names
  const { snapshot } = configuration
  const target = { type: 'object', kind, path: [name] } as const
  refuseForbidden(roles.permissionsOf(tokenOf(request).administrator), snapshot, {
    target,
    operation: 'update',
  })
  const object = objectAt(snapshot, target)
  const file = await exportedFile(object, readDownload(body))
  if (file.holdsKey) {
    const exported = {
      objectType: kind.title,
      objectName: object.name,
      what: 'the private key was downloaded',
    }
    await audit.exported(administratorOf(call), exported)
  }
  return reply
    .header('content-type', file.contentType)
    .header('content-disposition', `attachment; filename="${fileName(object, file.extension)}"`)
    .header('cache-control', 'no-store')
    .send(file.content)
}

function readDownload(body: Body): DownloadRequest {
  const options = readOperationBody(body, fields, 'a download')
  const password = options['encrypt-password']
  return {
    type: options['download-type'] as DownloadRequest['type'],
    password: password === undefined ? undefined : String(password),
  }
}

/** Names of certificates have no characters that a quoted text could not hold; no file is called "*". */
function fileName({ name }: ConfigurationObject, extension: string): string {
  return `${name.replaceAll('*', '_')}.${extension}`
}
