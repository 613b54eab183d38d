import type { SnapshotContentSecurityRule } from '@palisade/proxy-protocol'
import { isNotOff, isOn, items, text } from '../../kinds/conversions.ts'
import {
  type Conversion,
  fieldReader,
  type NamedKind,
  type Settings,
  whenOn,
} from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { inOrder, placeMembers } from '../places/compile.ts'
import { clientSideProtectionRule } from './client-side-protection-rule.ts'
import { cspPolicy, sourceDirectives } from './csp-policy.ts'

/** Which pages have Content Security Policies; undefined where the rule is switched off. */
export const contentSecurityRuleReader = whenOn(
  fieldReader(clientSideProtectionRule, { isOn: ['status', isNotOff], ...placeMembers }),
)

/** What a policy says besides its sources; undefined where it is switched off. */
export const contentSecurityPolicyReader = whenOn(
  fieldReader(cspPolicy, {
    isOn: ['status', isNotOff],
    blocks: ['csp-mode', (value: Value | undefined) => text(value) === 'Block'],
    baseUri: ['base-uri', sourceWords],
    baseUris: ['base-uri-document', tokens],
    pluginTypes: ['plugin-types', tokens],
    sandbox: ['sand-box', items],
    blocksMixedContent: ['mixed-box-content', isOn],
    upgradesRequests: ['upgrade-unsecure-req', isOn],
    reportedOnly: ['report-only', items],
    reportTo: ['report-to', tokens],
    reportUri: ['report-uri', tokens],
  }),
)

const hostListEnd = '-host-list'

type SourceMember = readonly [field: string, convert: Conversion<string[]>]

/** The sources of each directive, by the names of the fields. */
export const contentSourceReader = fieldReader<NamedKind, Readonly<Record<string, SourceMember>>>(
  cspPolicy,
  Object.fromEntries(
    Object.keys(sourceDirectives).map((name): [string, SourceMember] => [
      name,
      [name, name.endsWith(hostListEnd) ? tokens : sourceWords],
    ]),
  ),
)

/** Directives that the API calls by other names than browsers. */
const directiveNames: Readonly<Record<string, string>> = {
  'frames-ancestors': 'frame-ancestors',
  'style-except-inline-attr': 'style-src-elem',
}

/** Sources as headers have them. A nonce would have to be in every script of the page, also in one that an attacker has put there. */
const sourceNames: Readonly<Record<string, string>> = {
  All: '*',
  None: "'none'",
  Self: "'self'",
  Data: 'data:',
  'Unsafe Eval': "'unsafe-eval'",
  'Unsafe Hashes': "'unsafe-hashes'",
  'Unsafe Inline': "'unsafe-inline'",
}

/** @returns none for "Include Nonce" */
function sourceWords(value: Value | undefined): string[] {
  return items(value).flatMap((name) => sourceNames[name] ?? [])
}

/** Parts between blanks or commas; a comma would end the policy, and what is no ASCII no header can have. */
function tokens(value: Value | undefined): string[] {
  return items(value)
    .flatMap((part) => part.split(/[\s,]+/))
    .filter((token) => /^[\x21-\x7e]+$/.test(token))
}

/** The pages of a service whose answers have Content Security Policies, most specific first; undefined for none. */
export function compileContentSecurity(
  service: ConfigurationObject,
): SnapshotContentSecurityRule[] | undefined {
  const rules = childrenOf(service, clientSideProtectionRule.name).flatMap((rule) => {
    const place = contentSecurityRuleReader.of(rule)
    if (place === undefined) return []
    const policies = childrenOf(rule, cspPolicy.name).map(policyHeaders)
    const blocking = policies.flatMap((policy) => policy?.blocking || [])
    const reporting = policies.flatMap((policy) => policy?.reporting || [])
    return blocking.length + reporting.length === 0 ? [] : [{ ...place, blocking, reporting }]
  })
  return rules.length === 0 ? undefined : inOrder(rules)
}

/** The policies of a service that ask for a nonce, which nobody gives: sentences. */
export function unsupportedNonces(service: ConfigurationObject): string[] {
  return childrenOf(service, clientSideProtectionRule.name).flatMap((rule) =>
    childrenOf(rule, cspPolicy.name)
      .filter(({ content }) =>
        Object.values(content.values).some((value) => items(value).includes('Include Nonce')),
      )
      .map(
        ({ name }) =>
          `Scripts and styles get no nonce from csp-policies/${name}: list their hosts or their digests in place of Include Nonce.`,
      ),
  )
}

/** The values of the two headers; empty for one that is not sent. */
function policyHeaders(policy: ConfigurationObject): { blocking: string; reporting: string } | undefined {
  const read = contentSecurityPolicyReader.of(policy)
  if (read === undefined) return undefined
  const directives = directivesOf(policy, read)
  const reports = [
    ...(read.reportUri.length === 0 ? [] : [`report-uri ${read.reportUri.join(' ')}`]),
    ...(read.reportTo.length === 0 ? [] : [`report-to ${read.reportTo[0]}`]),
  ]
  const onlyReported = new Set(read.reportedOnly.map((name) => directiveNames[name] ?? name))
  const isReported = ([name]: Directive) => !read.blocks || onlyReported.has(name)
  const header = (some: readonly Directive[]) =>
    some.length === 0 ? '' : [...some.map((directive) => directive.join(' ')), ...reports].join('; ')
  return {
    blocking: header(directives.filter((one) => !isReported(one))),
    reporting: header(directives.filter(isReported).filter(([name]) => !blockingOnly.has(name))),
  }
}

/** A name and values. */
type Directive = readonly [name: string, ...values: string[]]

/** Browsers pass these over in a policy that only reports (CSP, Level 3, section 6.3.2; Upgrade Insecure Requests, section 3). */
const blockingOnly: ReadonlySet<string> = new Set(['sandbox', 'upgrade-insecure-requests'])

function directivesOf(
  policy: ConfigurationObject,
  read: Settings<typeof contentSecurityPolicyReader>,
): Directive[] {
  const sources = contentSourceReader.of(policy)
  const names = Object.keys(sourceDirectives).filter((name) => !name.endsWith(hostListEnd))
  const listed = (name: string, values: readonly string[]): Directive[] =>
    values.length === 0 ? [] : [[name, ...new Set(values)]]
  return [
    ...names.flatMap((name) =>
      listed(directiveNames[name] ?? name, [
        ...(sources[name] ?? []),
        ...(sources[`${name}${hostListEnd}`] ?? []),
      ]),
    ),
    ...listed('base-uri', [...read.baseUri, ...read.baseUris]),
    ...listed('plugin-types', read.pluginTypes),
    ...listed(
      'sandbox',
      read.sandbox.map((name) => name.toLowerCase().replaceAll(' ', '-')),
    ),
    ...(read.blocksMixedContent ? [['block-all-mixed-content'] as const] : []),
    ...(read.upgradesRequests ? [['upgrade-insecure-requests'] as const] : []),
  ]
}
