import type {
  SnapshotFrames,
  SnapshotHeaderChange,
  SnapshotKey,
  SnapshotRequestRewrite,
  SnapshotRewriting,
  SnapshotUrlEncryption,
} from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { inOrder } from './compile-denials.ts'
import { childrenOf, isOn, textIn, texts } from './reading.ts'

const requestActions: Readonly<Record<string, SnapshotRequestRewrite['does']>> = {
  'Insert Header': 'insert-header',
  'Remove Header': 'remove-header',
  'Rewrite Header': 'rewrite-header',
  'Rewrite URL': 'rewrite-url',
  'Redirect URL': 'redirect-url',
}

const frameOptions: Readonly<Record<string, SnapshotFrames['by']>> = {
  Never: 'never',
  'Same Origin': 'same-origin',
  'Allowed Origin': 'origin',
}

/** How the links of a service are encrypted; undefined when they are not. */
export function compileUrlEncryption(
  service: ConfigurationObject,
  keys: readonly SnapshotKey[],
): SnapshotUrlEncryption | undefined {
  if (!isOn(valuesOf(service.content, 'url-encryption').status)) return undefined
  const rules = childrenOf(service, 'url-encryption-rule')
    .filter(({ content }) => isOn(content.values.status))
    .map(({ name, content: { values } }) => ({
      name,
      host: textIn(values, 'host'),
      url: textIn(values, 'url'),
      allowsPlainRequests: isOn(values['allow-unencrypted-requests']),
      excludedUrls: texts(values['exclude-urls']),
      extendedMatch: '*',
      sequence: 0,
    }))
  if (rules.length === 0) return undefined
  return { keys, rules: inOrder(rules).map(({ extendedMatch: _, sequence: __, ...rule }) => rule) }
}

/** What is changed between the clients and the servers of a service; undefined when nothing is. */
export function compileRewriting(service: ConfigurationObject): SnapshotRewriting | undefined {
  const frames = framesOf(service)
  const rewriting: SnapshotRewriting = {
    requests: inSequence(service, 'http-request-rewrite').flatMap((rule) => requestRewrite(rule) ?? []),
    responses: inSequence(service, 'http-response-rewrite').flatMap((rule) => headerChange(rule) ?? []),
    bodies: inSequence(service, 'response-body-rewrite').map(({ content: { values } }) => ({
      host: textIn(values, 'host'),
      url: textIn(values, 'url'),
      search: textIn(values, 'search-string'),
      replacement: textIn(values, 'replace-string'),
    })),
    translations: childrenOf(service, 'url-translation').map(({ content: { values } }) => ({
      inside: { host: textIn(values, 'inside-domain'), prefix: textIn(values, 'inside-prefix') },
      outside: { host: textIn(values, 'outside-domain'), prefix: textIn(values, 'outside-prefix') },
    })),
    secureHosts: secureHosts(service),
    ...(frames ? { frames } : {}),
  }
  const isEmpty = Object.values(rewriting).every((part) => Array.isArray(part) && part.length === 0)
  return isEmpty ? undefined : rewriting
}

function inSequence(service: ConfigurationObject, kindName: string): readonly ConfigurationObject[] {
  const sequence = ({ content }: ConfigurationObject) => Number(content.values['sequence-number'])
  return childrenOf(service, kindName).toSorted((one, other) => sequence(one) - sequence(other))
}

function requestRewrite(rule: ConfigurationObject): SnapshotRequestRewrite | undefined {
  const { values } = rule.content
  const does = requestActions[textIn(values, 'action')]
  if (does !== 'rewrite-url' && does !== 'redirect-url') return headerChange(rule)
  return { does, ...changeOf(rule) }
}

/** @returns undefined for a rule that names no header */
function headerChange(rule: ConfigurationObject): SnapshotHeaderChange | undefined {
  const { values } = rule.content
  const does = requestActions[textIn(values, 'action')]
  const header = textIn(values, 'header')
  if (header === '' || does === undefined || does === 'rewrite-url' || does === 'redirect-url')
    return undefined
  return { does, header, ...changeOf(rule) }
}

function changeOf({ content: { values } }: ConfigurationObject) {
  return {
    condition: textIn(values, 'condition'),
    oldValue: textIn(values, 'old-value'),
    newValue: textIn(values, 'rewrite-value'),
    continues: values['continue-processing'] !== 'No',
  }
}

/** The hosts of an Instant SSL service, and those of other services where its section is switched on. */
function secureHosts({ content }: ConfigurationObject): readonly string[] {
  const section = valuesOf(content, 'instant-ssl')
  const ofType = content.values.type === 'Instant SSL' ? texts(content.values['secure-site-domain']) : []
  const ofSection =
    isOn(section.status) || content.values.type === 'Instant SSL' ? texts(section['secure-site-domain']) : []
  return [...new Set([...ofType, ...ofSection])]
}

function framesOf({ content }: ConfigurationObject): SnapshotFrames | undefined {
  const values = valuesOf(content, 'clickjacking')
  const by = frameOptions[textIn(values, 'options')]
  if (!isOn(values.status) || by === undefined) return undefined
  return by === 'origin' ? { by, origin: textIn(values, 'allowed-origin') } : { by }
}
