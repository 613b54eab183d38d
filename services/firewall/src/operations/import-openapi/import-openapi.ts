import type { FastifyReply } from 'fastify'
import type { Access } from '../../access/permissions.ts'
import { refuseProblems } from '../../changes/plan.ts'
import { ConfigurationRefused, notAcceptable } from '../../failure.ts'
import { FieldSet } from '../../kinds/field-set.ts'
import { objectName } from '../../kinds/patterns.ts'
import type { AuditLog } from '../../logs/audit-log.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { bodyOf } from '../../rest/write.ts'
import { differencesReply } from '../../transfer/differences-reply.ts'
import { partialOrder } from '../../transfer/partial-order.ts'
import type { Transfer } from '../../transfer/transfer.ts'
import {
  administratorOf,
  answer,
  type OperationBody,
  readOperationBody,
  takeMember,
  textOf,
} from '../body.ts'
import { objectOrDeleted, type ServiceDependencies, serviceNamed } from '../called-service.ts'
import { describedBody, describedData } from '../described.ts'
import { documentIn } from '../document-content.ts'
import { documentSizeMax } from '../import-configuration.ts'
import type { ApiDescriptions, CreatedObject } from './api-descriptions.ts'
import { describedUrls } from './described-api.ts'
import { type ProfileObjects, profilesOf } from './profiles.ts'

const title = 'Import Open API'
const contentMember = 'import-file-content'

const fields = new FieldSet(
  {
    operation: {
      type: 'choice',
      values: ['upload', 'download', 'apply', 'apply_saved', 'delete_configuration'],
      required: true,
      description:
        'To keep a document, give it back, make profiles of it at once or later, or take those profiles away again.',
    },
    'service-name': { type: 'string', lengthMax: 64, description: 'The service that gets the profiles.' },
    'api-spec-name': {
      type: 'string',
      lengthMax: 64,
      pattern: objectName,
      description: 'The name of the document.',
    },
    'advanced-config': { type: 'string' },
    rate_limit_stats: { type: 'string' },
    oauth_specs: { type: 'string' },
  },
  'import-openapi',
)

/** Members of the API whose meaning is nowhere described. */
const unsupported = ['advanced-config', 'rate_limit_stats', 'oauth_specs']

/** What OpenAPI documents are imported with. */
export interface ImportOpenApiDependencies extends ServiceDependencies {
  readonly audit: AuditLog
  readonly transfer: Transfer
  readonly descriptions: ApiDescriptions
}

/**
 * `POST ops/import-openapi`: profiles from the description of an API. They are created and taken away as an import of
 * the configuration is carried out: checked, in one transaction, after a checkpoint.
 */
export function importOpenApi(deps: ImportOpenApiDependencies): SpecialOperation {
  const { catalogue, transfer, descriptions, audit } = deps
  const urlProfile = catalogue.get('url-profile')

  const record = (call: Call, changeType: 'Add' | 'Modify' | 'Delete', name: string, service: string) =>
    audit.changed(administratorOf(call), {
      changeType,
      objectType: title,
      objectName: name,
      additionalData: `for the service ${service}`,
    })

  async function keep(call: Call, options: OperationBody, content: unknown) {
    const name = required(options, 'api-spec-name')
    const service = required(options, 'service-name')
    const document = openApiIn(content)
    const profiles = profilesFor(deps, call, document, service, name)
    const isNew = await descriptions.keep({ name, service, document }, call.author.username)
    await record(call, isNew ? 'Add' : 'Modify', name, service)
    return { name, service, profiles }
  }

  async function upload(call: Call, options: OperationBody, content: unknown): Promise<FastifyReply> {
    const { name, profiles } = await keep(call, options, content)
    return answer(call, { id: name, msg: 'Successfully created.', data: countsOf(profiles) })
  }

  async function download(call: Call, called: string): Promise<FastifyReply> {
    const { name, service, document, objects } = await descriptions.find(called, reached(deps, call, 'read'))
    const what = 'the document was downloaded'
    await audit.exported(administratorOf(call), { objectType: title, objectName: name, what })
    const data = { name, service, applied: objects.length > 0 ? 'Yes' : 'No', document }
    return answer(call, { object: title, data: { [name]: data } })
  }

  async function apply(call: Call, name: string, service: string): Promise<FastifyReply> {
    const { document, objects } = await descriptions.find(name, reached(deps, call, 'write'))
    if (objects.length > 0) {
      const reason = `The OpenAPI document ${JSON.stringify(name)} was applied already: use delete_configuration first.`
      throw new ConfigurationRefused({ code: 'has-to-stay', reason })
    }
    const profiles = profilesFor(deps, call, document, service, name)
    const order = partialOrder(call.author, `the OpenAPI document ${name}`, { objects: profiles })
    await transfer.plan(order)
    // Noted first: what is noted and was never created is no harm, what is created and not noted would stay.
    await descriptions.note(name, service, outermostOf(profiles))
    try {
      const { differences } = await transfer.carryOut(order)
      return answer(call, { id: name, msg: 'Configuration updated', data: differencesReply(differences) })
    } catch (error) {
      await descriptions.note(name, service, [])
      throw error
    }
  }

  async function deleteConfiguration(call: Call, name: string): Promise<FastifyReply> {
    const { service, objects } = await descriptions.find(name, reached(deps, call, 'write'))
    const { snapshot } = deps.configuration
    const there = objects.filter(([kindName, path]) => {
      const kind = catalogue.get(kindName)
      return kind !== undefined && snapshot.object(kind, path) !== undefined
    })
    const removed = Object.fromEntries(
      [...Map.groupBy(there, ([kindName]) => kindName)].map(([kindName, ofKind]) => [
        kindName,
        ofKind.map(([, path]) => path),
      ]),
    )
    const origin = `taking the OpenAPI document ${name} away`
    const order = partialOrder(call.author, origin, { objects: {}, removed })
    const { differences } = await transfer.carryOut(order)
    await descriptions.remove(name)
    await record(call, 'Delete', name, service)
    return answer(call, { msg: 'Successfully deleted.', data: differencesReply(differences) })
  }

  return {
    method: 'POST',
    path: 'ops/import-openapi',
    bodySizeMax: documentSizeMax,
    mayBeDone: (permissions) =>
      urlProfile !== undefined && permissions.mayReachKind(urlProfile, undefined, 'write'),
    description: {
      operationId: 'importOpenApi',
      summary: 'Keep the description of an API, and make profiles of a service of it',
      tags: ['Import Open API Configuration'],
      requestBody: describedBody(title, fields, {
        [contentMember]: {
          type: ['object', 'string'],
          description:
            'An OpenAPI 3 or Swagger 2 document: as an object, as JSON text, or as base64 of JSON text.',
        },
      }),
      responses: describedData('What was kept, changed or deleted.'),
    },
    handle: async (call) => {
      const { taken, rest } = takeMember(bodyOf(call.request), contentMember)
      const options = readOperationBody(rest, fields, title)
      refuseUnsupported(options)
      switch (options.operation) {
        case 'upload':
          return upload(call, options, taken)
        case 'download':
          return download(call, required(options, 'api-spec-name'))
        case 'apply': {
          const { name, service } = await keep(call, options, taken)
          return apply(call, name, service)
        }
        case 'apply_saved': {
          const name = required(options, 'api-spec-name')
          const description = await descriptions.find(name, reached(deps, call, 'write'))
          return apply(call, name, textOf(options['service-name']) || description.service)
        }
        default:
          return deleteConfiguration(call, required(options, 'api-spec-name'))
      }
    },
  }
}

/** Whether the caller reaches a service of that name; one that is gone is reached by its name. */
function reached(
  { configuration, roles }: ImportOpenApiDependencies,
  { author }: Call,
  access: Access,
): (service: string) => boolean {
  const kind = configuration.kind('service')
  return (name) =>
    roles.permissionsOf(author).mayReachObject(objectOrDeleted(configuration.snapshot, kind, name), access)
}

/**
 * @throws ConfigurationRefused not-found, when there is no such service, or not-acceptable; RequestRefused forbidden,
 *   when the caller may not change it
 */
function profilesFor(
  deps: ImportOpenApiDependencies,
  { author }: Call,
  document: unknown,
  service: string,
  apiName: string,
): ProfileObjects {
  const { catalogue, configuration } = deps
  serviceNamed(deps, service, author, 'write')
  const profileNames = ['url-profile', 'json-profile'].map((name) => {
    const profiles = catalogue.get(name)
    return profiles && configuration.snapshot.collection(profiles, [service])
  })
  const isTaken = (name: string) => profileNames.some((collection) => collection?.get(name) !== undefined)
  return profilesOf(describedUrls(document), { service, apiName, isTaken })
}

/** What has to be taken away for all of it to be gone. */
function outermostOf(profiles: ProfileObjects): CreatedObject[] {
  return (['url-profile', 'json-profile'] as const).flatMap((kindName) =>
    profiles[kindName].map(({ path }) => [kindName, path] as const),
  )
}

function countsOf(profiles: ProfileObjects): Record<string, number> {
  return Object.fromEntries(
    Object.entries(profiles).map(([kindName, objects]) => [`${kindName} count`, objects.length]),
  )
}

function openApiIn(content: unknown): unknown {
  try {
    return documentIn(contentMember, content)
  } catch (error) {
    if (!(error instanceof ConfigurationRefused)) throw error
    const problem = `${error.message} Documents in YAML are not read: convert them to JSON.`
    throw notAcceptable(problem)
  }
}

function refuseUnsupported(options: OperationBody): void {
  refuseProblems(
    unsupported
      .filter((member) => options[member] !== undefined)
      .map((member) => ({ member, sentence: `The member ${member} is not supported: leave it out.` })),
  )
}

function required(options: OperationBody, member: string): string {
  const text = textOf(options[member])
  refuseProblems(text === '' ? [{ member, sentence: `The member ${member} is required.` }] : [])
  return text
}
