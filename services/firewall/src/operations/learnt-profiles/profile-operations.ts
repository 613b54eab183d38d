import type { FastifyReply } from 'fastify'
import type { Access, Permissions } from '../../access/permissions.ts'
import { ConfigurationRefused } from '../../failure.ts'
import { isOn } from '../../kinds/conversions.ts'
import { FieldSet } from '../../kinds/field-set.ts'
import type { LearntUrls } from '../../learning/learnt-urls.ts'
import { type ProfileProposal, proposeProfiles } from '../../learning/propose-profiles.ts'
import type { AuditLog } from '../../logs/audit-log.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { valuesOf } from '../../objects/content.ts'
import { refuseOtherParameters } from '../../rest/query.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { bodyOf } from '../../rest/write.ts'
import { differencesReply } from '../../transfer/differences-reply.ts'
import { partialOrder } from '../../transfer/partial-order.ts'
import type { Transfer } from '../../transfer/transfer.ts'
import { administratorOf, answer, readOperationBody, textOf } from '../body.ts'
import { calledService, type ServiceDependencies } from '../called-service.ts'
import { describedBody, describedData, describedMessage } from '../described.ts'
import { profileReply } from './profile-reply.ts'
import { objectsFor } from './profiles-for.ts'

const title = 'Profile Proposal'
const tags = ['URL Profile']
const collection = 'services/{service}/profile-proposals'

const fields = new FieldSet(
  {
    comments: { type: 'string', lengthMax: 256, description: 'Why; told in what is created.' },
    profiles: {
      type: 'yes-no',
      default: 'Yes',
      description: 'Whether the URL profile and those of its parameters are created.',
    },
    'second-opinions': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether second opinions are created for the parameters in which people write.',
    },
  },
  'profile-proposals',
)

/** What the operations work with. */
export interface ProfileDependencies extends ServiceDependencies {
  readonly audit: AuditLog
  readonly learnt: LearntUrls
  readonly transfer: Transfer
}

/**
 * `services/{service}/profile-proposals`: profiles made of what proxies learnt. Accepting creates URL profiles, parameter profiles and
 * second opinions, in one change after a checkpoint; deleting those undoes it. These addresses are our own.
 */
export function profileOperations(deps: ProfileDependencies): readonly SpecialOperation[] {
  const { configuration, catalogue, learnt, transfer, audit } = deps
  const mayReach = (permissions: Permissions, access: Access) =>
    ['url-profile', 'parameter-profile', 'second-opinion'].every((name) => {
      const kind = catalogue.get(name)
      return kind !== undefined && permissions.mayReachKind(kind, undefined, access)
    })
  const mayRead = (permissions: Permissions) => mayReach(permissions, 'read')
  const mayAccept = (permissions: Permissions) => mayReach(permissions, 'write')

  async function proposalsOf(service: ConfigurationObject): Promise<ProfileProposal[]> {
    const values = valuesOf(service.content, 'adaptive-profiling')
    const site = valuesOf(service.content, 'website-profile')
    return proposeProfiles(await learnt.of(service.name), {
      isTrusted: values['request-learning'] === 'Trusted',
      isStrict: isOn(site['strict-profile-check']),
    })
  }

  async function proposalOf({ names }: Call, service: ConfigurationObject): Promise<ProfileProposal> {
    const proposal = (await proposalsOf(service)).find(({ id }) => id === names.id)
    if (proposal) return proposal
    const what = `profile proposal ${JSON.stringify(names.id)}`
    throw new ConfigurationRefused({ code: 'not-found', what })
  }

  async function list(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const service = calledService(deps, call, 'read')
    const proposals = await proposalsOf(service)
    const data = Object.fromEntries(proposals.map((one) => [one.id, profileReply(one, service)]))
    return answer(call, { object: title, ...(proposals.length === 0 ? {} : { data }) })
  }

  async function read(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const service = calledService(deps, call, 'read')
    const proposal = await proposalOf(call, service)
    return answer(call, { object: title, data: { [proposal.id]: profileReply(proposal, service) } })
  }

  async function accept(call: Call): Promise<FastifyReply> {
    const service = calledService(deps, call, 'write')
    return create(call, service, async () => [await proposalOf(call, service)])
  }

  async function acceptAll(call: Call): Promise<FastifyReply> {
    const service = calledService(deps, call, 'write')
    return create(call, service, async () =>
      (await proposalsOf(service)).filter(({ hasEnoughEvidence }) => hasEnoughEvidence),
    )
  }

  async function create(
    call: Call,
    service: ConfigurationObject,
    chosen: () => Promise<readonly ProfileProposal[]>,
  ): Promise<FastifyReply> {
    const options = readOperationBody(bodyOf(call.request), fields, title)
    const objects = objectsFor(service, await chosen(), configuration.snapshot, {
      comments: textOf(options.comments),
      withProfiles: options.profiles === 'Yes',
      withSecondOpinions: options['second-opinions'] === 'Yes',
    })
    const order = partialOrder(call.author, 'accepting what was learnt', { objects })
    const { differences } = await transfer.carryOut(order)
    call.reply.code(201)
    return answer(call, { msg: 'Successfully created.', data: differencesReply(differences) })
  }

  async function forget(call: Call): Promise<FastifyReply> {
    refuseOtherParameters(call.request.query, [])
    const service = calledService(deps, call, 'write')
    await learnt.forget(service.name)
    const change = { changeType: 'Clear', objectType: title, objectName: service.name } as const
    await audit.changed(administratorOf(call), change)
    return answer(call, { msg: 'Successfully deleted.' })
  }

  const created = describedData('What was created; deleting it undoes that.')
  const describedCreation = { '201': created['200'] ?? {} }
  return [
    {
      method: 'GET',
      path: collection,
      mayBeDone: mayRead,
      description: {
        operationId: 'listProfileProposals',
        summary: 'List profiles that were learnt from the traffic',
        tags,
        responses: describedData('The proposals by their ids, that first that most requests asked for.'),
      },
      handle: list,
    },
    {
      method: 'POST',
      path: collection,
      mayBeDone: mayAccept,
      description: {
        operationId: 'acceptProfileProposals',
        summary: 'Create all profiles for which there is enough evidence',
        tags,
        requestBody: describedBody(title, fields),
        responses: describedCreation,
      },
      handle: acceptAll,
    },
    {
      method: 'DELETE',
      path: collection,
      mayBeDone: mayAccept,
      description: {
        operationId: 'forgetProfileProposals',
        summary: 'Forget what was learnt',
        tags,
        responses: describedMessage('Learning begins anew; profiles that were created stay.'),
      },
      handle: forget,
    },
    {
      method: 'GET',
      path: `${collection}/{id}`,
      mayBeDone: mayRead,
      description: {
        operationId: 'getProfileProposal',
        summary: 'Retrieve a learnt profile',
        tags,
        responses: describedData('The proposal.'),
      },
      handle: read,
    },
    {
      method: 'POST',
      path: `${collection}/{id}`,
      mayBeDone: mayAccept,
      description: {
        operationId: 'acceptProfileProposal',
        summary: 'Create the profile that is proposed',
        tags,
        requestBody: describedBody(title, fields),
        responses: describedCreation,
      },
      handle: accept,
    },
  ]
}
