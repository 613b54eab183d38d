import type { Behaviour, Change, Completion } from '../changes/behaviour.ts'
import type { Problem } from '../changes/problems.ts'
import { type Content, valuesOf, withValues } from '../objects/content.ts'
import type { Write } from '../objects/snapshot.ts'
import { withApplicationId } from './application-id.ts'
import { redirectService } from './redirect-service.ts'
import { inStep, type SharedMember } from './shared-members.ts'

/** Members that are taken when the service is created belong to sections of it. */
const shared: readonly SharedMember[] = [
  { member: 'certificate', section: 'ssl-security' },
  { member: 'ecdsa-certificate', section: 'ssl-security' },
  { member: 'secure-site-domain', section: 'instant-ssl' },
]

const typesWithTls = ['HTTPS', 'Instant SSL', 'Custom SSL', 'FTP SSL']

/** Where clients expect HTTPS; other services are on port 80 unless they say otherwise. */
const httpsPort = 443

/**
 * Keeps in step what a service says twice, and makes the service that leads clients of plain HTTP to this one.
 */
export function services(): Behaviour {
  return {
    kind: 'service',

    complete(change): Completion {
      const shaped = inStep(shared, change.before ? change.content : newService(change), change)
      const content = change.before ? shaped : withTls(shaped)
      const { writes = [], problems = [] } = redirect({ ...change, content })
      return { content, writes, problems: [...problems, ...takenPlace({ ...change, content })] }
    },
  }
}

/** Of two services at one address, proxies would carry one alone: a change that brings a second one there is refused. */
function takenPlace({ kind, path, before, section, content, snapshot }: Change): Problem[] {
  const place = placeOf({ content })
  if (section !== undefined || place === undefined || (before && placeOf(before) === place)) return []
  const there = snapshot.collection(kind, [])?.nameByKey(placeOf, place)
  if (there === undefined || there === (before?.name ?? path.at(-1))) return []
  const { 'ip-address': address, port } = content.values
  // Its name may be hidden from whoever asks.
  const sentence = `The member port: another service that is switched on is at ${address}, port ${port}, already. Expected was another ip-address or port, or the status Off.`
  return [{ member: 'port', sentence }]
}

/** Where a service that is switched on listens. */
function placeOf({ content: { values } }: { readonly content: Content }): string | undefined {
  const { 'ip-address': address, port, status } = values
  return status === 'On' && address !== undefined ? `${address} ${port}` : undefined
}

function newService({ content: initial, path, given }: Change): Content {
  const content = withApplicationId(initial, path.at(-1) ?? '')
  if (content.values.type !== 'Instant SSL') return content
  const instantSsl = withValues(content, 'instant-ssl', {
    ...valuesOf(content, 'instant-ssl'),
    status: 'On',
  })
  if (given.get('port') !== undefined) return instantSsl
  return withValues(instantSsl, undefined, { ...content.values, port: httpsPort })
}

/** A new service with a certificate is meant to show it. */
function withTls(content: Content): Content {
  const { type, certificate, 'ecdsa-certificate': ecdsa } = content.values
  if (!typesWithTls.includes(String(type)) || (certificate ?? ecdsa) === undefined) return content
  return withValues(content, 'ssl-security', { ...valuesOf(content, 'ssl-security'), status: 'On' })
}

/** Asked for, it is made or the change refused; beside a new Instant SSL service, it is made where there is room. */
function redirect(change: Change): {
  readonly writes?: readonly Write[]
  readonly problems?: readonly Problem[]
} {
  const { given, section, before, content } = change
  const isAsked = section === 'ssl-security' && given.get(asking) === 'Yes'
  const isNewInstantSsl = !before && content.values.type === 'Instant SSL'
  if (!isAsked && !isNewInstantSsl) return {}
  const { write, obstacle } = redirectService(change)
  if (write) return { writes: [write] }
  if (!isAsked || obstacle === undefined) return {}
  return { problems: [{ member: asking, sentence: `The member ${asking}: ${obstacle}` }] }
}

const asking = 'create-hsts-redirect-service'
